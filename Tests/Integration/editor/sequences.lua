-- Edits a policy with random commands, and keeps the text at the end of each sequence:
-- SEED, COUNT and FINALS are in the environment. The proxy keeps what the client sends.
local count = tonumber(os.getenv('COUNT'))
math.randomseed(tonumber(os.getenv('SEED')))
local function one(list) return list[math.random(#list)] end

local keys = {
  'x', 'X', 'dd', '2dd', 'dw', 'db', 'D', 'J', '3J', 'yyp', 'yyP', 'p', 'P', '>>', '<<', '~', 'guu',
  'gUU', 'ddp', 'ddkP', 'vjd', 'vjjd', 'Vjd', 'Vjjy', 'diw', 'ciw', 'cc', 'C', 'o', 'O', 'i', 'a', 'I',
  'A', 'R', 's', 'S', 'r', 'u', 'u', 'uu', '@redo', '@block', '@append', '@replace', '@sort', '@move',
  '@global', '@many', '@undo', '@filter',
}
local texts = {
  'acme', 'corp', '  ', ':', '- ', '[', ']', '{', '}', '"', "'", '#', '\t', '😀', 'ä', '€', '𝔘', 'é',
  'rules:', 'hosts: ["x.example"]', 'anchors: [system]', 'profile: org', 'hawser: 1', '&a', '*a', '!!x',
  '|', 'null', 'default: deny', '"😀.example"', '# 😀😀 ', 'owner: 𝔘', '-', ' ', 'a b c',
}
local inserts = {}
for _, key in ipairs({ 'ciw', 'cc', 'C', 'o', 'O', 'i', 'a', 'I', 'A', 'R', 's', 'S' }) do
  inserts[key] = true
end

local function command()
  local key = one(keys)
  local text = one(texts)
  if inserts[key] then
    if math.random(4) == 1 then text = text .. '\r' .. one(texts) end
    return 'normal! ' .. key .. text
  end
  if key == 'r' then return 'normal! r' .. one({ 'a', ':', '😀', ' ' }) end
  if key == '@redo' then return 'redo' end
  if key == '@undo' then return 'undo' end
  if key == '@block' then return 'normal! \22jjI' .. text end
  if key == '@append' then return 'normal! \22jj$A' .. text end
  if key == '@replace' then
    return '%s/' .. one({ 'a', 'o', ' ', '$', '^', 'corp', '"' }) .. '/' .. one({ '😀', 'b', '', '\r' })
      .. '/' .. one({ '', 'g' })
  end
  if key == '@sort' then return '.,$sort' end
  if key == '@move' then return 'move ' .. one({ '0', '$' }) end
  if key == '@global' then return 'g/' .. one({ 'corp', 'example' }) .. '/d' end
  if key == '@many' then return 'normal! ' .. math.random(2, 9) .. 'i' .. text end
  if key == '@filter' then return 'normal! =G' end
  return 'normal! ' .. key
end

local function attach()
  local id = vim.lsp.start_client({
    cmd = { 'python3', os.getenv('RECORD'), os.getenv('RECORDING'), os.getenv('HAWSER'), 'lsp' },
    root_dir = vim.fn.getcwd(), flags = { debounce_text_changes = 0 },
    handlers = { ['textDocument/publishDiagnostics'] = function() end },
  })
  assert(vim.wait(10000, function()
    local client = vim.lsp.get_client_by_id(id)
    return client and client.initialized
  end))
  return id
end

local id = attach()
vim.o.swapfile = false
vim.o.hidden = true
for number = 1, count do
  local file = one({ 'policy.yaml', 'policy.yaml', 'policy.yaml', 'crlf.yaml', 'emoji.yaml', 'bare.yaml' })
  vim.cmd('silent edit! ' .. file)
  vim.lsp.buf_attach_client(0, id)
  for _ = 1, math.random(3, 25) do
    vim.fn.setcursorcharpos(math.random(vim.api.nvim_buf_line_count(0)), math.random(25))
    -- A command that cannot be, such as `undo` of nothing, does nothing.
    pcall(vim.cmd, 'silent! ' .. command())
    if math.random(5) == 1 then vim.cmd('let &undolevels = &undolevels') end
  end
  local format = vim.bo.fileformat
  local text = table.concat(vim.api.nvim_buf_get_lines(0, 0, -1, true), format == 'dos' and '\r\n' or '\n')
  if vim.bo.eol then text = text .. (format == 'dos' and '\r\n' or '\n') end
  local kept = io.open(os.getenv('FINALS') .. '/' .. number, 'wb')
  kept:write(text)
  kept:close()
  vim.cmd('silent bwipeout!')
  vim.wait(2)
end
vim.lsp.stop_client(id)
vim.wait(3000, function() return vim.lsp.get_client_by_id(id) == nil end)
vim.cmd('qall!')
