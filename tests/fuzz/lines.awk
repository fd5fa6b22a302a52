# SPDX-License-Identifier: GPL-3.0-or-later
# For tests/fuzz/coverage: reads unreached.txt, then what gcov -bt prints of the files of a target.
function trim(text) {
    gsub(/^[ \t]+|[ \t]+$/, "", text)
    return text
}

# A row of a line is used up by one such line: where it stands twice, two rows excuse it. With "..."
# it stands for those behind it in the function as well.
function is_excused(text, key, pattern) {
    key = file SUBSEP name SUBSEP "*"
    if (key in whole) {
        is_used[key] = 1
        return 1
    }
    for (pattern in anywhere)
        if (text ~ pattern)
            return 1
    key = file SUBSEP name SUBSEP text " ..."
    if (left_of[key]) {
        left_of[key]--
        is_behind[file, name] = 1
    }
    if ((file, name) in is_behind)
        return 1
    key = file SUBSEP name SUBSEP text
    if (!left_of[key])
        return 0
    left_of[key]--
    return 1
}

function complain(key) {
    print "tests/fuzz/unreached.txt: this excuses nothing any more: " rows[key] > "/dev/stderr"
    is_stale = 1
}

FILENAME ~ /unreached.txt$/ {
    if (/^[^#]/) {
        split($0, row, "\t")
        key = row[1] SUBSEP row[2] SUBSEP row[3]
        if (row[4] == "")
            next
        else if (row[1] == "*")
            anywhere[row[3]] = row[4]
        else if (row[3] == "*")
            whole[key] = $0
        else
            left_of[key]++
        rows[key] = $0
    }
    next
}

/^ *-: *0:Source:/ {
    file = $0
    sub(/.*:Source:/, "", file)
    is_ours = file !~ /\.h$|^\//
    if (is_ours) {
        files[++count] = file
        is_mine[file] = 1
    }
    next
}

# gcov names a function in a line before its first one.
/^function / { called = $2; next }
/^(branch|call|unconditional) / || !is_ours { next }

match($0, /^ *[0-9#=-]+\*?: *[0-9]+:/) {
    times = trim(substr($0, 1, index($0, ":") - 1))
    text = trim(substr($0, RLENGTH + 1))
    if (called) {
        name = called
        called = ""
    }
    if (times == "-")
        next
    all[file]++
    if (times !~ /^[#=]/) {
        if (shows == "reached")
            print file ":" all[file]
        reached[file]++
        is_called[file, name] = 1
        next
    }
    if (is_excused(text))
        excused[file]++
    else if (shows == "missing")
        print file "\t" name "\t" text "\t"
}

END {
    for (i = 1; i <= count; i++) {
        file = files[i]
        left = all[file] - excused[file]
        sum += left
        good += reached[file]
        if (!shows)
            printf "%6.1f %% of %4d  %s%s\n", left ? 100 * reached[file] / left : 100, left, file,
                excused[file] ? ", and " excused[file] " out of reach" : ""
    }
    if (shows == "reached")
        exit
    for (key in rows) {
        split(key, part, SUBSEP)
        if (part[1] in is_mine &&
            (key in whole ? !(key in is_used) || (part[1], part[2]) in is_called : left_of[key]))
            complain(key)
    }
    share = sum ? 100 * good / sum : 0
    if (!shows)
        printf "%6.1f %% of %4d lines%s\n", share, sum, share < 95 ? ", less than 95 %" : ""
    exit is_stale || (!shows && share < 95)
}
