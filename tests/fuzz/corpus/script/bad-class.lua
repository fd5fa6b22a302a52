return {class = 7, name = "x"}
