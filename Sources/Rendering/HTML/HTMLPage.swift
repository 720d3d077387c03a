/// The frame of every page: one file that fetches nothing. The policy of the page comes first in
/// its head. It lets the one style sheet in, by its hash, and the script of `PageFilter` on a page
/// that is filtered, and nothing else: no image, no font, no `style` attribute.
package enum HTMLPage {
    /// A section of a page with its heading.
    package struct Section {
        let id: String
        let title: String
        let content: [HTML]

        package init(_ id: String, _ title: String, _ content: [HTML]) {
            self.id = id
            self.title = title
            self.content = content
        }
    }

    /// A script that a page can hold. Without it nothing of the page is lost.
    package enum Script: Sendable {
        case filter

        fileprivate var text: StaticString {
            switch self {
            case .filter: return PageFilter.script
            }
        }

        fileprivate var source: StaticString {
            switch self {
            case .filter: return PageFilter.source
            }
        }
    }

    /// The page as text.
    ///
    /// - Parameters:
    ///   - title: the title of the document.
    ///   - kind: the word before the heading: `explain`.
    ///   - head: what stands on top, the heading of the page in it.
    ///   - footer: what stands below everything.
    ///   - script: the one script of the page.
    package static func render(
        title: String, kind: String, head: [HTML], sections: [Section], footer: [HTML],
        script: Script? = nil
    ) -> String {
        let policy =
            "default-src 'none'; base-uri 'none'; form-action 'none'; "
            + "style-src '\(HTMLStyles.source)'"
            + (script.map { "; script-src '\($0.source)'" } ?? "")
        let shown = sections.filter { !$0.content.isEmpty }
        let document = HTML.joined([
            HTML.constant("<!DOCTYPE html>\n"),
            .element(
                "html", ["lang": "en"],
                [
                    .element(
                        "head",
                        [
                            .void(
                                "meta",
                                ["http-equiv": "Content-Security-Policy", "content": policy]),
                            .void("meta", ["charset": "utf-8"]),
                            .void(
                                "meta",
                                [
                                    "name": "viewport",
                                    "content": "width=device-width, initial-scale=1",
                                ]),
                            .void("meta", ["name": "color-scheme", "content": "light dark"]),
                            .void("meta", ["name": "referrer", "content": "no-referrer"]),
                            .element("title", title),
                            HTML.constant("<style>"), HTML.constant(HTMLStyles.text),
                            HTML.constant("</style>"),
                        ]),
                    .element(
                        "body",
                        [
                            .element(
                                "a", ["class": "skip", "href": "#main"], "Skip to the content"),
                            .element(
                                "header", ["class": "top"],
                                [.element("p", ["class": "kind"], "hawser \(kind)")] + head),
                            nav(shown),
                            .element("main", ["id": "main"], shown.map(section)),
                            .element("footer", footer),
                        ]
                            + (script.map {
                                [
                                    HTML.constant("<script>"), HTML.constant($0.text),
                                    HTML.constant("</script>"),
                                ]
                            } ?? [])),
                ]), HTML.constant("\n"),
        ])
        return document.markup
    }

    private static func nav(_ sections: [Section]) -> HTML {
        .element(
            "nav", ["aria-label": "On this page"],
            [
                .element(
                    "ul",
                    sections.map { section in
                        .element(
                            "li", [.element("a", ["href": "#\(section.id)"], section.title)])
                    })
            ])
    }

    private static func section(_ section: Section) -> HTML {
        .element(
            "section", ["id": section.id, "aria-labelledby": "\(section.id)-title"],
            [.element("h2", ["id": "\(section.id)-title"], section.title)] + section.content)
    }
}
