"""Every request that `hawser lsp` answers, sent by pytest-lsp. lsprotocol's types check each answer
and each message that the server sends by itself."""
import asyncio
import os
import pathlib

import pytest
import pytest_lsp
from lsprotocol import types
from pytest_lsp import ClientServerConfig, LanguageClient, client_capabilities

UNIT = pathlib.Path(os.environ["UNIT"])
SERVER = ClientServerConfig(server_command=[os.environ["HAWSER"], "lsp"])


def uri(name):
    return (UNIT / name).as_uri()


def text(name):
    return (UNIT / name).read_text()


def place(name, part, plus=1):
    before, found, _ = text(name).partition(part)
    assert found, part
    line = before.count("\n")
    return types.Position(line, len(before) - before.rfind("\n") - 1 + plus)


def at(name, part, plus=1):
    return {
        "text_document": types.TextDocumentIdentifier(uri(name)),
        "position": place(name, part, plus),
    }


@pytest_lsp.fixture(config=SERVER, params=["visual-studio-code", "neovim", "emacs"])
async def client(lsp_client: LanguageClient, request):
    @lsp_client.feature(types.CLIENT_REGISTER_CAPABILITY)
    def register(params):
        assert [one.method for one in params.registrations] == ["workspace/didChangeWatchedFiles"]

    params = types.InitializeParams(
        capabilities=client_capabilities(request.param),
        workspace_folders=[types.WorkspaceFolder(UNIT.as_uri(), "unit")])
    lsp_client.answer = await lsp_client.initialize_session(params)
    for name in ["policy.yaml", "teams/shop.policy.yaml", "unit.test.yaml", "unit.assert.yaml", "slow.allow.yaml",
                 "exports.yaml"]:
        lsp_client.text_document_did_open(types.DidOpenTextDocumentParams(
            types.TextDocumentItem(uri(name), "yaml", 1, text(name))))
    yield
    await lsp_client.shutdown_session()


def change(client, name, new, version=2):
    client.text_document_did_change(types.DidChangeTextDocumentParams(
        types.VersionedTextDocumentIdentifier(version, uri(name)),
        [types.TextDocumentContentChangeWholeDocument(new)]))


async def findings(client, name, wanted):
    """Waits for findings of a document, pushed or pulled."""
    pulls = client.answer.capabilities.diagnostic_provider is not None
    for _ in range(200):
        if pulls:
            report = await client.text_document_diagnostic_async(
                types.DocumentDiagnosticParams(types.TextDocumentIdentifier(uri(name))))
            found = report.items
        else:
            found = client.diagnostics.get(uri(name), [])
        if wanted([one.code for one in found]):
            return found
        await asyncio.sleep(0.05)
    raise AssertionError([one.code for one in found])


MISTAKE = ("anchors: [corp]", "anchors: [corpp]")


@pytest.mark.asyncio
async def test_findings_follow_the_text(client):
    change(client, "policy.yaml", text("policy.yaml").replace(*MISTAKE))
    found = await findings(client, "policy.yaml", lambda codes: "HW105" in codes)
    assert any("corpp" in one.message for one in found)
    assert all(one.source == "hawser" for one in found)
    change(client, "policy.yaml", text("policy.yaml"), 3)
    await findings(client, "policy.yaml", lambda codes: "HW105" not in codes)


@pytest.mark.asyncio
async def test_hover(client):
    hover = await client.text_document_hover_async(
        types.HoverParams(**at("policy.yaml", "minimum-version")))
    assert "tls.minimum-version: tls1.3" in hover.contents.value
    hover = await client.text_document_hover_async(
        types.HoverParams(**at("policy.yaml", "anchors/root.pem")))
    assert "CN=Editor Root" in hover.contents.value
    hover = await client.text_document_hover_async(types.HoverParams(**at("policy.yaml", "api:")))
    assert "rule `api` decides" in hover.contents.value
    assert await client.text_document_hover_async(types.HoverParams(
        types.TextDocumentIdentifier(uri("policy.yaml")), types.Position(900, 900))) is None


@pytest.mark.asyncio
async def test_navigation(client):
    found = await client.text_document_definition_async(
        types.DefinitionParams(**at("unit.test.yaml", "[corp]", 2)))
    assert [(one.uri, one.range.start) for one in found] == [
        (uri("policy.yaml"), place("policy.yaml", "corp:", 0))]
    found = await client.text_document_definition_async(
        types.DefinitionParams(**at("policy.yaml", "anchors/root.pem")))
    assert [one.uri for one in found] == [uri("anchors/root.pem")]
    found = await client.text_document_references_async(types.ReferenceParams(
        context=types.ReferenceContext(include_declaration=True),
        **at("policy.yaml", "corp:")))
    assert sorted({one.uri for one in found}) == sorted(
        uri(name) for name in ["policy.yaml", "teams/shop.policy.yaml", "unit.test.yaml"])


@pytest.mark.asyncio
async def test_rename(client):
    ready = await client.text_document_prepare_rename_async(
        types.PrepareRenameParams(**at("policy.yaml", "corp:")))
    assert ready.placeholder == "corp"
    edit = await client.text_document_rename_async(
        types.RenameParams(new_name="corp-2", **at("policy.yaml", "corp:")))
    files = (
        [change.text_document.uri for change in edit.document_changes]
        if edit.document_changes else list(edit.changes))
    assert len(files) == 3
    for bad in ["Corp", "", "system", "a b"]:
        with pytest.raises(Exception):
            await client.text_document_rename_async(
                types.RenameParams(new_name=bad, **at("policy.yaml", "corp:")))


@pytest.mark.asyncio
async def test_symbols_and_folds(client):
    document = types.TextDocumentIdentifier(uri("policy.yaml"))
    symbols = await client.text_document_document_symbol_async(types.DocumentSymbolParams(document))
    assert [one.name for one in symbols] == ["hawser", "default", "anchors", "profiles", "rules"]
    found = await client.workspace_symbol_async(types.WorkspaceSymbolParams("shop"))
    assert [one.name for one in found] == ["shop"]
    folds = await client.text_document_folding_range_async(types.FoldingRangeParams(document))
    assert len(folds) > 3


@pytest.mark.asyncio
async def test_completion(client):
    def labels(answer):
        return [item.label for item in answer.items]

    answer = await client.text_document_completion_async(
        types.CompletionParams(**at("policy.yaml", "profile: org", 9)))
    assert labels(answer) == ["org", "baseline", "ats"]
    answer = await client.text_document_completion_async(
        types.CompletionParams(**at("policy.yaml", "[corp]", 1)))
    assert labels(answer) == ["corp", "system", "pinned-keys"]
    answer = await client.text_document_completion_async(
        types.CompletionParams(**at("policy.yaml", "anchors/root.pem", 3)))
    assert labels(answer) == ["anchors/root.pem"]
    change(client, "policy.yaml", text("policy.yaml") + "    re\n")
    line = text("policy.yaml").count("\n")
    answer = await client.text_document_completion_async(types.CompletionParams(
        types.TextDocumentIdentifier(uri("policy.yaml")), types.Position(line, 6)))
    assert "revocation" in labels(answer) and "hosts" not in labels(answer)
    item = next(item for item in answer.items if item.label == "revocation")
    assert "evidence of revocation" in item.documentation.value


@pytest.mark.asyncio
async def test_layout_and_fixes(client):
    crowded = text("policy.yaml").replace("owner: pki", "owner:   pki")
    change(client, "policy.yaml", crowded.replace('"api.co.example"', '"API.co.example"'))
    document = types.TextDocumentIdentifier(uri("policy.yaml"))
    edits = await client.text_document_formatting_async(
        types.DocumentFormattingParams(document, types.FormattingOptions(2, True)))
    assert [edit.new_text.startswith("    owner: pki\n") for edit in edits] == [True]
    whole = types.Range(types.Position(0, 0), types.Position(999, 0))
    actions = await client.text_document_code_action_async(types.CodeActionParams(
        document, whole, types.CodeActionContext([])))
    assert any(action.title.startswith("Explain HW") for action in actions)
    fixes = await client.text_document_code_action_async(types.CodeActionParams(
        document, whole, types.CodeActionContext([], only=["source.fixAll"])))
    assert [fix.kind for fix in fixes] == ["source.fixAll.hawser"]


@pytest.mark.asyncio
async def test_lenses_and_commands(client):
    document = types.TextDocumentIdentifier(uri("policy.yaml"))
    weaker = text("policy.yaml").replace("    tls: { minimum-version: tls1.3 }\n", "")
    change(client, "policy.yaml", weaker)
    lenses = await client.text_document_code_lens_async(types.CodeLensParams(document))
    titles = [lens.command.title for lens in lenses]
    assert "decides 2 classes of hosts" in titles, titles
    assert "weaker than HEAD: tls.minimum-version" in titles, titles
    for lens in lenses:
        answer = await client.workspace_execute_command_async(types.ExecuteCommandParams(
            lens.command.command, lens.command.arguments))
        assert answer["text"], lens.command.command
    answer = await client.workspace_execute_command_async(
        types.ExecuteCommandParams("hawser.rule", ["HW211"]))
    assert "HW211" in answer["text"]


@pytest.mark.asyncio
async def test_hints(client):
    for name, part in [
        ("policy.yaml", "CN=Editor Root"), ("unit.test.yaml", "rule api"), ("unit.assert.yaml", "rules api, till"),
        ("slow.allow.yaml", "rule shop"), ("policy.yaml", "inside: rule till"), ("exports.yaml", "rule shop"),
    ]:
        hints = await client.text_document_inlay_hint_async(types.InlayHintParams(
            types.TextDocumentIdentifier(uri(name)),
            types.Range(types.Position(0, 0), types.Position(999, 0))))
        assert any(part.removeprefix("CN=") in hint.label for hint in hints), hints


@pytest.mark.asyncio
async def test_tokens(client):
    provider = client.answer.capabilities.semantic_tokens_provider
    names = provider.legend.token_types
    whole = types.Range(types.Position(0, 0), types.Position(999, 0))
    for name, wanted in [
        ("policy.yaml", {("corp", "variable"), ("tls1.3", "enumMember"), ("3072", "number"),
                         ("**.api.co.example", "regexp"), ("owner", "property")}),
        ("unit.test.yaml", {("api.co.example", "regexp"), ("api", "variable"), ("2027-01-15", "number")}),
        ("unit.assert.yaml", {("**.co.example", "regexp"), ("org", "variable"), ("no-weaker-than", "property")}),
        ("slow.allow.yaml", {("*.shop.example", "regexp"), ("field", "property"), ("2027-06-30", "number")}),
        ("exports.yaml", {("*.shop.example", "regexp"), ("ios", "variable"), ("nsc", "enumMember"),
                          ("file", "property")}),
    ]:
        document = types.TextDocumentIdentifier(uri(name))
        full = await client.text_document_semantic_tokens_full_async(types.SemanticTokensParams(document))
        part = await client.text_document_semantic_tokens_range_async(
            types.SemanticTokensRangeParams(document, whole))
        assert full.data == part.data
        lines = text(name).split("\n")
        line = character = 0
        found = set()
        for at in range(0, len(full.data), 5):
            ahead, right, length, kind, _ = full.data[at:at + 5]
            line, character = (line + ahead, right) if ahead else (line, character + right)
            octets = lines[line].encode("utf-16-le")[2 * character:2 * (character + length)]
            found.add((octets.decode("utf-16-le"), names[kind]))
        assert wanted <= found, wanted - found


@pytest.mark.asyncio
async def test_assertions_and_allowances(client):
    name = "unit.assert.yaml"
    hover = await client.text_document_hover_async(types.HoverParams(**at(name, "no-weaker-than")))
    assert "compared" in hover.contents.value
    hover = await client.text_document_hover_async(types.HoverParams(**at(name, "org")))
    assert "profile `org`" in hover.contents.value
    change(client, name, text(name).replace("profile: org", "profile: orgg"))
    await findings(client, name, lambda codes: codes != [])
    change(client, name, text(name).replace("profile: org", "profile: "), 3)
    answer = await client.text_document_completion_async(types.CompletionParams(**at(name, "profile: org", 9)))
    assert [item.label for item in answer.items] == ["org", "baseline", "ats"]
    change(client, name, text(name), 4)
    await findings(client, name, lambda codes: codes == [])

    name = "slow.allow.yaml"
    hover = await client.text_document_hover_async(types.HoverParams(**at(name, "until")))
    assert "last day" in hover.contents.value
    change(client, name, text(name).replace("2027-06-30", "soon"))
    await findings(client, name, lambda codes: codes != [])
    change(client, name, text(name).replace("    to: best-effort\n", "    \n"), 3)
    answer = await client.text_document_completion_async(types.CompletionParams(
        types.TextDocumentIdentifier(uri(name)), types.Position(7, 4)))
    assert "to" in [item.label for item in answer.items], answer
    change(client, name, text(name).replace("field: ", "field:    "), 4)
    edits = await client.text_document_formatting_async(
        types.DocumentFormattingParams(types.TextDocumentIdentifier(uri(name)), types.FormattingOptions(2, True)))
    assert [edit.new_text for edit in edits] == ["    field: revocation.preset\n"]
    symbols = await client.text_document_document_symbol_async(
        types.DocumentSymbolParams(types.TextDocumentIdentifier(uri(name))))
    assert [one.name for one in symbols] == ["hawser-allow", "allowances"]


@pytest.mark.asyncio
async def test_exports(client):
    name = "exports.yaml"
    document = types.TextDocumentIdentifier(uri(name))
    await findings(client, name, lambda codes: codes == [])
    for number, (old, new, code) in enumerate([
        ("to: nsc", "to: ncs", "HX701"), ("to: ats-pins", "to: ats-pins\n    target-sdk: 36", "HX702"),
        ("ios/Info.plist", "../../Info.plist", "HX703"), ("ios/Info.plist", "./android/nsc.xml", "HX704"),
    ]):
        change(client, name, text(name).replace(old, new), 2 + number)
        found = await findings(client, name, lambda codes: codes == [code])
        assert len(found) == 1
    change(client, name, text(name), 6)
    await findings(client, name, lambda codes: codes == [])

    hover = await client.text_document_hover_async(types.HoverParams(**at(name, "hosts")))
    assert "by default every host" in hover.contents.value
    hover = await client.text_document_hover_async(types.HoverParams(**at(name, "nsc")))
    assert "Android never checks" in hover.contents.value
    answer = await client.text_document_completion_async(types.CompletionParams(**at(name, "nsc", 0)))
    assert {"nsc", "ats-pins", "envoy"} <= {item.label for item in answer.items}
    change(client, name, text(name).replace("to: nsc\n", "to: nsc\n    \n"), 7)
    answer = await client.text_document_completion_async(types.CompletionParams(document, types.Position(4, 4)))
    assert [item.label for item in answer.items] == ["hosts", "target-sdk"]
    change(client, name, text(name).replace("to: nsc", "to:   nsc"), 8)
    edits = await client.text_document_formatting_async(
        types.DocumentFormattingParams(document, types.FormattingOptions(2, True)))
    assert [edit.new_text for edit in edits] == ["    to: nsc\n"]
    symbols = await client.text_document_document_symbol_async(types.DocumentSymbolParams(document))
    assert [one.name for one in symbols] == ["hawser-exports", "exports"]
    target = UNIT / "android" / "nsc.xml"
    target.parent.mkdir(exist_ok=True)
    target.write_text("<network-security-config />\n")
    found = await client.text_document_definition_async(types.DefinitionParams(**at(name, "android/nsc.xml")))
    assert [one.uri for one in found] == [target.as_uri()]
