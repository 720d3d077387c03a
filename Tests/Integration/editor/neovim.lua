-- Types a mistake, sees it, mends it by the server's fix, and renames an anchor set over the files.
local function check(what, is)
  if not is then
    io.stderr:write('FAILED: ' .. what .. '\n')
    vim.cmd('cquit 1')
  end
  io.stdout:write('ok ' .. what .. '\n')
end

local id = vim.lsp.start_client({ cmd = { os.getenv('HAWSER'), 'lsp' }, root_dir = vim.fn.getcwd() })
vim.lsp.buf_attach_client(0, id)
check('the server runs', vim.wait(10000, function()
  local client = vim.lsp.get_client_by_id(id)
  return client and client.initialized
end))

local function codes()
  return vim.tbl_map(function(one) return one.code end, vim.diagnostic.get(0))
end
local function line(text)
  for number, one in ipairs(vim.api.nvim_buf_get_lines(0, 0, -1, false)) do
    if one:find(text, 1, true) then return number, one end
  end
end
local function has(code) return vim.tbl_contains(codes(), code) end

-- A host in capital letters: a warning with a safe fix.
local number, old = line('- "api.co.example"')
vim.api.nvim_buf_set_lines(0, number - 1, number, false, { '      - "API.co.example"' })
check('the mistake is seen', vim.wait(10000, function() return has('HW202') end, 50))

local range = { start = { line = number - 1, character = 0 }, ['end'] = { line = number - 1, character = 30 } }
local answer = vim.lsp.buf_request_sync(0, 'textDocument/codeAction', {
  textDocument = vim.lsp.util.make_text_document_params(),
  range = range, context = { diagnostics = {} },
}, 10000)
local actions = answer and answer[id] and answer[id].result or {}
local fix = vim.tbl_filter(function(one) return one.edit ~= nil and one.isPreferred end, actions)[1]
check('a fix is offered', fix ~= nil)
vim.lsp.util.apply_workspace_edit(fix.edit, 'utf-16')
check('the fix mends it', line('- "api.co.example"') ~= nil)
check('the finding goes', vim.wait(10000, function() return not has('HW202') end, 50))

number = line('  corp:')
local renamed = vim.lsp.buf_request_sync(0, 'textDocument/rename', {
  textDocument = vim.lsp.util.make_text_document_params(),
  position = { line = number - 1, character = 3 }, newName = 'corp-2',
}, 10000)
check('the rename is answered', renamed and renamed[id] and renamed[id].result)
vim.lsp.util.apply_workspace_edit(renamed[id].result, 'utf-16')
vim.cmd('silent wall')
vim.lsp.stop_client(id)
vim.cmd('qall!')
