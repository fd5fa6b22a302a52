# SPDX-License-Identifier: GPL-3.0-or-later
# shellcheck shell=sh
# For scripts that open a page in headless Chromium, with a folder of their own in $work.
: "${work:?}"

# with_script PAGE <SCRIPT: the page with a script at its end, which its policy is told of.
with_script() {
    cat >"$work/script"
    sum=$(sed 's/^<script>//; $s/<\/script>$//' "$work/script" | head -c -1 | sha256sum | cut -c 1-64)
    sum=$(echo "$sum" | tr a-f A-F | basenc -d --base16 | base64)
    sed "s|script-src |script-src 'sha256-$sum' |" "$1"
    cat "$work/script"
}

# load_ms PAGE: the milliseconds until it is loaded. That takes real time, so it is measured without a
# budget of virtual time: the best of three, for others may be using this machine. 9999: it is not.
load_ms() {
    with_script "$1" >"$work/timed.html" <<'TIMED'
<script>window.addEventListener('load',function(){const written=document.createElement('pre');
written.id='loaded';written.textContent=Math.round(performance.now());
document.body.append(written)})</script>
TIMED
    loaded=9999
    for _ in 1 2 3; do
        timeout 120 chromium --headless --no-sandbox --disable-gpu --user-data-dir="$work/profile" \
            --dump-dom "file://$work/timed.html" >"$work/timed.dom" 2>/dev/null
        took=$(sed -n 's/.*<pre id="loaded">\([^<]*\)<\/pre>.*/\1/p' "$work/timed.dom")
        [ "${took:-9999}" -ge "$loaded" ] || loaded=$took
    done
    echo "$loaded"
}
