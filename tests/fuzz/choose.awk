# SPDX-License-Identifier: GPL-3.0-or-later
# For tests/fuzz/keep: reads size, name and a line that it reaches, of inputs, and prints the names of
# those that reach all of these lines, or what can be reached with `most` bytes: first who reaches the
# most new lines for its bytes.
{
    size[$2] = $1
    lines[$2, ++count[$2]] = $3
}

function worth(name, i, new) {
    for (i = 1; i <= count[name]; i++)
        new += !(lines[name, i] in is_reached)
    return new / (size[name] + 1)
}

END {
    for (;;) {
        best = ""
        for (name in count) {
            if (sum + size[name] > most)
                continue
            value = worth(name)
            if (value > 0 && (best == "" || value > top || (value == top && name < best))) {
                top = value
                best = name
            }
        }
        if (best == "")
            break
        print best
        sum += size[best]
        for (i = 1; i <= count[best]; i++)
            is_reached[lines[best, i]] = 1
        delete count[best]
    }
}
