#!/usr/bin/env bash
# What `make pages` runs: writes pages into a folder, with an index: of every recipe its report,
# findings, forecast and tests, of every case its verdict, and of every pull request of `review` its
# comparison. Each page is one file that fetches nothing.
#
#   policies/pages.sh HAWSER [FOLDER [RECIPE...]]    by default .build-pages, and every recipe
set -euo pipefail
hawser=$(realpath "$1")
cd "$(dirname "$0")/.."
pages=${2:-.build-pages}
mkdir -p "$pages"
pages=$(realpath "$pages")
cd policies
if [ $# -gt 2 ]; then recipes=("${@:3}"); else
    recipes=()
    for file in */cases; do recipes+=("${file%/cases}"); done
fi

key() { # FILE KEY: prints the value of a key of a case
    sed -nE "s/^$2: *\"?([^\"#]*[^\"# ])\"?.*/\1/p" "$1"
}

items() { # LIST: prints the items of a list in brackets, one a line
    tr -d '[] ' <<<"$1" | tr ',' '\n' | sed '/^$/d'
}

explain() { # RECIPE CASE PAGE: writes the page of a case; the status is that of the verdict
    local folder=$1/cases/$2 request=$1/cases/$2/request.yaml host value words=()
    host=$(key "$request" host)
    # The command wants an IPv6 address in brackets where a port could be its end.
    if [[ $host = *:* ]]; then host="[$host]"; fi
    value=$(key "$request" port)
    words=("$host${value:+:$value}" --policy "$1" --at "$(key "$request" at)")
    value=$(key "$request" tls)
    case ${value:-tls1.3} in
    none) words+=(--cleartext) ;;
    *) words+=(--tls-version "${value:-tls1.3}" --chain "$folder/$(key "$request" chain)") ;;
    esac
    for option in cipher-suite group signature-scheme alpn; do
        value=$(key "$request" "$option")
        [ -z "$value" ] || words+=("--$option" "$value")
    done
    for option in staple sct-list; do
        value=$(key "$request" "$option")
        [ -z "$value" ] || words+=("--$option" "$folder/$value")
    done
    value=$(key "$request" system)
    [ -z "$value" ] || words+=(--system-store "$1/$value")
    while read -r value; do words+=(--crl "$folder/$value"); done < <(items "$(key "$request" crls)")
    while read -r value; do words+=(--ocsp "$folder/$value"); done < <(items "$(key "$request" ocsp)")
    value=$(sed -nE 's/^assume: *\{ *([a-z-]+): *([a-z]+) *\}.*/\1=\2/p' "$request")
    [ -z "$value" ] || words+=(--assume "$value")
    "$hawser" explain "${words[@]}" --format html >"$3"
}

index=$pages/index.html
{
    printf '%s\n' '<!DOCTYPE html>' '<html lang="en"><head>' \
        "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; base-uri 'none'; form-action 'none'\">" \
        '<meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">' \
        '<meta name="color-scheme" content="light dark"><title>hawser: pages of the recipes</title></head>' \
        '<body><main><h1>Pages of the recipes</h1>'
} >"$index"
count=0

write() { # PAGE TITLE ARGUMENTS...: writes a page that the index lists; findings are no failure
    local page=$1 title=$2 status=0
    shift 2
    "$hawser" "$@" --format html >"$pages/$page" || status=$?
    if [ "$status" -gt 1 ]; then
        echo "$page ends with $status" >&2
        exit 1
    fi
    printf '<li><a href="%s">%s</a></li>\n' "$page" "$title" >>"$index"
    count=$((count + 1))
}

for recipe in "${recipes[@]}"; do
    mkdir -p "$pages/$recipe"
    printf '<h2>%s</h2><ul>\n' "$recipe" >>"$index"
    # As of the day of the recipe's first case.
    at=$(key "$(printf '%s\n' "$recipe"/cases/*/request.yaml | head -n 1)" at)
    "$hawser" report "$recipe" --at "$at" -o "$pages/$recipe/report.html"
    printf '<li><a href="%s/report.html">report</a> of the unit, as of %s</li>\n' "$recipe" "$at" >>"$index"
    count=$((count + 1))
    write "$recipe/lint.html" "findings" lint "$recipe" --at "$at"
    write "$recipe/forecast.html" "forecast of the year after" \
        forecast --policy "$recipe" --at "$at" --horizon 365d
    if [ -n "$(find "$recipe" -maxdepth 1 -name '*.test.yaml')" ]; then
        write "$recipe/test.html" "tests" test "$recipe"
    fi
    for folder in "$recipe"/cases/*/; do
        case=$(basename "$folder")
        # A request without a certificate is a case for programs; the command refuses the file.
        if [ -f "$folder/chain.pem" ] && [ ! -s "$folder/chain.pem" ]; then continue; fi
        status=0
        explain "$recipe" "$case" "$pages/$recipe/$case.html" || status=$?
        if [ "$status" -gt 1 ]; then
            echo "$recipe/$case ends with $status" >&2
            exit 1
        fi
        word=accept
        [ "$status" = 0 ] || word=reject
        printf '<li><a href="%s/%s.html">%s</a>: %s</li>\n' "$recipe" "$case" "$case" "$word" >>"$index"
        count=$((count + 1))
    done
    printf '</ul>\n' >>"$index"
done
if [ $# -le 2 ]; then
    mkdir -p "$pages/review"
    printf '<h2>review</h2><ul>\n' >>"$index"
    scratch=$(mktemp -d)
    trap 'rm -rf "$scratch"' EXIT
    cp -r review/base "$scratch/base"
    for change in review/*/change.patch; do
        name=$(basename "$(dirname "$change")")
        cp -r review/base "$scratch/$name"
        (cd "$scratch/$name" && git apply) <"$change"
        (cd "$scratch" && "$hawser" diff base "$name" --at 2026-06-01 --format html) \
            >"$pages/review/$name.html"
        printf '<li><a href="review/%s.html">%s</a></li>\n' "$name" "$name" >>"$index"
        count=$((count + 1))
    done
    printf '</ul>\n' >>"$index"
fi
printf '</main></body></html>\n' >>"$index"
echo "$count pages in $pages"
