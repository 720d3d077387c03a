package import PolicyCompiler
package import Rendering

extension PolicySourceFile {
    /// A file of a policy or of its tests, for a page.
    package init(_ file: SourceFile) {
        self.init(path: file.path, text: String(decoding: file.bytes, as: UTF8.self))
    }
}
