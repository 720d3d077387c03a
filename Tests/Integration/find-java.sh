# Sourced: `find_jdk [LEAST [MOST]]` sets `jdk` to the folder of a JDK of at least LEAST (22 without
# it) and at most MOST: of JAVA_HOME or below /usr/lib/jvm, the newest. Where there is none `jdk` is
# empty, and `no_jdk` says so in words.

find_jdk() { # [LEAST [MOST]]
    local home number least=${1:-22} most=${2:-999} best=0
    jdk=
    for home in "${JAVA_HOME:-}" /usr/lib/jvm/*; do
        [ -n "$home" ] && [ -x "$home/bin/javac" ] && [ -e "$home/release" ] || continue
        number=$(sed -n 's/^JAVA_VERSION="\([0-9]*\).*/\1/p' "$home/release")
        if [ "${number:-0}" -ge "$least" ] && [ "$number" -le "$most" ] && [ "$number" -gt "$best" ]; then
            best=$number jdk=$home
        fi
    done
    no_jdk="no JDK of $least or later was found in JAVA_HOME or /usr/lib/jvm"
    if [ "$most" != 999 ]; then no_jdk="no JDK of $least to $most was found in JAVA_HOME or /usr/lib/jvm"; fi
}
