// Starts `hots lsp` for rulesets and for Markdown with cases, and runs what the lenses offer.
"use strict";

const vscode = require("vscode");
const { dirname } = require("node:path");
const { LanguageClient } = require("vscode-languageclient/node");

let client;

function command() {
  return vscode.workspace.getConfiguration("hots").get("command");
}

function inTerminal(folder, ...words) {
  const terminal = vscode.window.createTerminal({
    name: "hots",
    cwd: folder,
    shellPath: command(),
    shellArgs: words,
  });
  terminal.show();
}

async function showDifference(file, name) {
  const text = await client.sendRequest("workspace/executeCommand", {
    command: "hots.differs",
    arguments: [file, name],
  });
  const document = await vscode.workspace.openTextDocument({ language: "markdown", content: text });
  await vscode.window.showTextDocument(document, { preview: true, viewColumn: vscode.ViewColumn.Beside });
}

async function activate(context) {
  client = new LanguageClient(
    "hots",
    "hots_rules",
    { command: command(), args: ["lsp"] },
    {
      documentSelector: [
        { scheme: "file", language: "rules" },
        { scheme: "file", language: "markdown" },
      ],
      synchronize: {
        fileEvents: vscode.workspace.createFileSystemWatcher("**/{*.rules,*.md,*.csv,positions/*.txt}"),
      },
      initializationOptions: { terminal: true },
      middleware: {
        executeCommand: (name, words, next) => (name === "hots.differs" ? showDifference(...words) : next(name, words)),
      },
    },
  );
  context.subscriptions.push(
    vscode.commands.registerCommand("hots.play", (file, scenario) =>
      inTerminal(dirname(file), "repl", file, "--scenario", scenario),
    ),
    vscode.commands.registerCommand("hots.debug", (file, title) =>
      inTerminal(dirname(file), "debug", file, "--case", title),
    ),
    vscode.commands.registerCommand("hots.cases", (file) => inTerminal(dirname(file), "test", "--watch")),
  );
  await client.start();
}

function deactivate() {
  return client && client.stop();
}

module.exports = { activate, deactivate };
