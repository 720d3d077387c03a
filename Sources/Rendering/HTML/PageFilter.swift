/// A filter of a page's rows that needs no server. A page without scripts shows every row, and its
/// box stays hidden.
package enum PageFilter {
    /// The class of the elements that are rows.
    package static let row = "row"
    /// The class of a `details` element with rows inside. The filter opens it where one of them
    /// holds the words.
    package static let group = "group"

    /// The box, hidden until the script runs.
    ///
    /// - Parameter placeholder: what the box finds, as an example.
    package static func box(placeholder: String) -> HTML {
        .element(
            "p", ["id": "filter", "class": "filter", "hidden": ""],
            [
                .element("label", ["for": "filter-words"], "Filter the rows"),
                .void(
                    "input",
                    [
                        "id": "filter-words", "type": "search", "placeholder": placeholder,
                        "autocomplete": "off", "spellcheck": "false",
                    ]), .element("output", ["for": "filter-words"], []),
            ])
    }

    /// The source of `script` as a Content-Security-Policy names it, as `HTMLStyles.source` is.
    static let source: StaticString = "sha256-PFNzHMAsurDIDAmFxEA9jUFtxy32gH9VrSVBvWGsjAI="

    /// Shows the rows that hold every word that was typed, whatever the case. A row of a group also
    /// counts as holding the words of the group's summary. It reads text and sets `hidden` and
    /// `open`; it makes no markup. A link into the page shows a row that was filtered out or
    /// folded.
    static let script: StaticString = """
        (()=>{"use strict";
        const box=document.getElementById("filter");if(!box)return;
        const input=box.querySelector("input"),told=box.querySelector("output");
        const rows=[...document.querySelectorAll(".row")],texts=new Map();
        const group=row=>row.parentElement.closest("details.group");
        const text=row=>{let t=texts.get(row);if(t===undefined){const g=group(row);\
        t=((g?g.firstElementChild.textContent+" ":"")+row.textContent).toLowerCase();\
        texts.set(row,t)}return t};
        const apply=()=>{const words=input.value.toLowerCase().split(/\\s+/).filter(Boolean);let n=0;
        for(const row of rows){const out=words.length>0&&!words.every(w=>text(row).includes(w));
        if(row.hidden!==out)row.hidden=out;if(out)continue;n++;
        const g=words.length?group(row):null;if(g)g.open=true}
        told.textContent=words.length?`${n} of ${rows.length} rows hold “${words.join(" ")}”`:""};
        const open=()=>{const id=location.hash.slice(1),at=id&&document.getElementById(id);\
        if(!at)return;
        const row=at.closest(".row");if(row&&row.hidden){input.value="";apply()}
        for(let d=at;d;d=d.parentElement)if(d.tagName==="DETAILS")d.open=true;at.scrollIntoView()};
        input.addEventListener("input",apply);addEventListener("hashchange",open);
        box.hidden=false;if(input.value)apply();if(location.hash)open()})()
        """
}
