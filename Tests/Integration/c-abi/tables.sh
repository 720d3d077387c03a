# For scripts that give tables to programs in C, which source this file.

# Three policies for one chain: `other` does not change the host, `stricter` refuses the chain that
# the first two accept. Sets `host` and `at` (seconds since 1970), and writes chain-0.der and so on,
# end entity first; cut.table is the first half of a table.
make_tables() { # HAWSER FOLDER
    local hawser=$1 folder=$2 cases=policies/classic-failures name
    host=www.site.example
    at=$(date -u -d 2026-06-01T12:00:00Z +%s)
    for name in other stricter; do
        mkdir "$folder/$name"
        cp -r "$cases/policy.yaml" "$cases/anchors" "$folder/$name"
    done
    printf '  another:\n    hosts: ["another.site.example"]\n    anchors: [site]\n' >> "$folder/other/policy.yaml"
    sed -i 's/^    hosts: \["www.site.example"\]$/&\n    path: { maximum-intermediates: 0 }/' "$folder/stricter/policy.yaml"
    "$hawser" compile "$cases" --output "$folder/one.table" > /dev/null
    for name in other stricter; do "$hawser" compile "$folder/$name" --output "$folder/$name.table" > /dev/null; done
    head -c "$(($(stat -c %s "$folder/one.table") / 2))" "$folder/one.table" > "$folder/cut.table"
    python3 - "$cases/cases/good/chain.pem" "$folder" <<'PY'
import base64, pathlib, re, sys
text = pathlib.Path(sys.argv[1]).read_text()
found = re.findall(r"-----BEGIN CERTIFICATE-----(.*?)-----END", text, re.S)
for place, octets in enumerate(found):
    (pathlib.Path(sys.argv[2]) / f"chain-{place}.der").write_bytes(base64.b64decode(octets))
PY
}
