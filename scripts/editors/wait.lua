-- Prints what the language server says of the file, once it has.
vim.wait(20000, function() return #vim.diagnostic.get(0) > 0 end, 50)
vim.wait(3000, function() return #vim.lsp.inlay_hint.get({ bufnr = 0 }) > 0 end, 50)
for _, found in ipairs(vim.diagnostic.get(0)) do
  print(found.lnum + 1, found.code, found.message)
end
for _, hint in ipairs(vim.lsp.inlay_hint.get({ bufnr = 0 })) do
  print(hint.inlay_hint.position.line + 1, hint.inlay_hint.label)
end
vim.cmd("qa!")
