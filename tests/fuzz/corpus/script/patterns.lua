local text = "Ab1 _-%f(x(y))z\taa bb \1 Zz9"
local patterns = {"%a+", "%d", "%l", "%s", "%u", "%w", "%x", "%p", "%c", "%g", "%A", "%D*", "%S-", "[^a-z%d]", "[%a_]",
  "[a-]", "[]]", "%b()", "%f[%w]%w+", "(%a)(%a)", "(a)%1", "()b()", "^A", "z$", "a?b", ".-z", "a*b+", "[%", "%", "(", ")", "%b",
  "%f", "[a-", "%9", "a**", "(%a(%d))", "%z", "[^%s]-$", "((((((((((((((((((((((((((((((((((a"}
for _, pattern in ipairs(patterns) do
  pcall(string.find, text, pattern)
  pcall(string.match, text, pattern, 2)
  pcall(string.gsub, text, pattern, "<%0>")
  pcall(string.gsub, text, pattern, "%1%%", 1)
  pcall(string.gsub, text, pattern, "%9")
  pcall(string.gsub, text, pattern, {Ab = "x", A = false})
  pcall(string.gsub, text, pattern, function(a) return a end)
  pcall(string.gsub, text, pattern, function(a) return {} end)
  pcall(function() for a, b in string.gmatch(text, pattern) do local _ = a end end)
end
pcall(string.rep, "x", 10, ",")
pcall(string.format, "%d %s %x %q %5.2f %c %i %u %o %e %g %a", 1, "x", 2, "q", 1.5, 65, 1, 1, 1, 1, 1, 1)
pcall(string.byte, "abc", 1, -1)
return {}
