# The options of the action. `$old` and `$new` are two files of options, or null where there is
# none.
#
#   jq -n --argjson old OLD --argjson new NEW -f options.jq
#
# The answer has `faults`, the mistakes of `$old`; `options`, the options of `$old` with the
# defaults; `changed`, a line for each option that differs in `$new`; `isStricter`, whether `$new`
# demands at least as much as `$old`.

def known:
    {"hawser-action": "number", policies: "array", require: "string", allow: "string", lint: "object",
     "lint.level": "string", "lint.fail-on": "string", "lint.baseline": "string", "lint.ignore": "array",
     test: "object", "test.minimum-coverage": "number", "test.most-survivors": "number"};
def defaults:
    {"hawser-action": 1, policies: null, require: "no-weaker", allow: null,
     lint: {level: "default", "fail-on": "warning", baseline: null, ignore: []},
     test: {"minimum-coverage": null, "most-survivors": null}};

# A path of the repository that no command can take for something else.
def is_path:
    type == "string" and test("\\A[A-Za-z0-9_.@+][A-Za-z0-9_.@+ /-]*\\z")
    and (. == "." or (split("/") | all(. != "" and . != "." and . != "..")));
def is_whole($least; $most): type == "number" and floor == . and . >= $least and . <= $most;

def fields: [paths | select(all(type == "string")) | select(length <= 2)];
def faults:
    if type != "object" then ["it is not an object"] else
    . as $all |
    [fields[] | . as $path | join(".") as $name | ($all | getpath($path)) as $value
     | if (known | has($name) | not) then "there is no option `\($name | @json)`"
       elif ($value | type) != known[$name] then "`\($name)` is not of type \(known[$name])" else empty end]
    + (if ."hawser-action" == 1 then [] else ["`\"hawser-action\": 1` is missing"] end)
    + if has("policies") and (.policies | type) == "array" and
        (.policies == [] or (.policies | all(is_path) | not) or (.policies | unique | length) != (.policies | length))
      then ["`policies` is a list of different folders of the repository, as `trust` or `.`"] else [] end
    + (if (.require // "equal") | IN("no-weaker", "equal") then [] else ["`require` is `no-weaker` or `equal`"] end)
    + [(.allow, .lint?.baseline?) | select(. != null) | select(is_path | not) | "a file is named by its path from the repository's top"]
    + (if (.lint?.level? // "default") | IN("default", "strict", "audit") then [] else ["`lint.level` is `default`, `strict` or `audit`"] end)
    + (if (.lint?."fail-on"? // "info") | IN("info", "warning", "error") then [] else ["`lint.fail-on` is `info`, `warning` or `error`"] end)
    + (if (.lint?.ignore? // []) | if type == "array" then all(type == "string" and test("\\AHW[0-9]{3}\\z")) else true end
       then [] else ["`lint.ignore` is a list of codes"] end)
    + (if (.test?."minimum-coverage"? // 0) | is_whole(0; 100) then [] else ["`test.minimum-coverage` is 0 to 100"] end)
    + (if (.test?."most-survivors"? // 0) | is_whole(0; 1000000) then [] else ["`test.most-survivors` is a count"] end)
    end;

def completed: defaults * (. // {});
def value($path): getpath($path / ".");

# Whether the new value of an option, the input's `new`, demands at least as much as `old`.
def holds($name):
    if .old == .new then true
    elif $name == "require" then .new == "equal"
    elif $name == "policies" then .new == null or (.old != null and .old - .new == [])
    elif $name == "allow" or $name == "lint.baseline" then .new == null
    elif $name == "lint.level" then .old == "default"
    elif $name == "lint.fail-on" then
        . as $change | ["error", "warning", "info"] | index($change.new) > index($change.old)
    elif $name == "lint.ignore" then .new - .old == []
    elif $name == "test.minimum-coverage" then .new != null and .new > (.old // -1)
    elif $name == "test.most-survivors" then .new != null and (.old == null or .new < .old)
    else false end;

($old // {"hawser-action": 1}) as $was | ($new // {"hawser-action": 1}) as $is |
($was | faults) as $faults | ($is | faults) as $newFaults |
if $faults != [] then {faults: $faults}
elif $newFaults != [] then
    {faults: [], options: ($was | completed), changed: ["the change breaks the file: \($newFaults[0])"], isStricter: false}
else
    ($was | completed) as $before | ($is | completed) as $after |
    [known | keys[] | select(IN("lint", "test", "hawser-action") | not) | . as $name
     | {name: $name, old: ($before | value($name)), new: ($after | value($name))} | select(.old != .new)] as $changes |
    {faults: [], options: $before,
     changed: [$changes[] | "\(.name): \(.old | @json) -> \(.new | @json)"],
     isStricter: ($changes | all(.name as $name | holds($name)))}
end
