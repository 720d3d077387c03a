# Sourced. SwiftPM names a package after the folder of its checkout, and the compiler shows
# `package` symbols of a build only to files that state the same name.

package_of() { # BUILD: prints the name that target Hawser was built with in .build/debug
    local line
    line=$(grep -m 1 -o '"-module-name","Hawser",.*' "$1/../../debug.yaml")
    sed -n 's/.*"-package-name","\([^"]*\)".*/\1/p' <<<"$line"
}
