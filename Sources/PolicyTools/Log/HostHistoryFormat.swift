package import Rendering

extension HostHistory: FormattedAnswer {
    package static let writers = FormatWriters<HostHistory>([
        .answer(.text): { history, _ in HostHistoryText(history).render() },
        .answer(.json): { history, _ in HostHistoryJSON.render(history) },
    ])
}
