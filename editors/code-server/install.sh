#!/usr/bin/env bash
# Installs code-server, which is VS Code in a browser, into node_modules of this folder; its own installation would fetch
# binaries from GitHub. Here everything comes from the registry of npm: what has to be compiled is compiled, with the
# headers of the Node that is installed if they lie beside it.
set -euo pipefail
cd "$(dirname "$0")"

case $(node --version) in
    v20.*) ;;
    *) echo "this version of code-server needs Node 20, not $(node --version)" >&2 && exit 1 ;;
esac
prefix=$(dirname "$(dirname "$(readlink -f "$(command -v node)")")")
[ ! -e "$prefix/include/node/node.h" ] || export npm_config_nodedir=$prefix
export npm_config_build_from_source=true npm_config_yes=true npm_config_audit=false npm_config_fund=false

npm ci --ignore-scripts --silent
npm rebuild --silent argon2
ripgrep=$(node -p 'require("@vscode/ripgrep").rgPath')

cd node_modules/code-server/lib/vscode
npm install --ignore-scripts --omit=dev --silent
npm rebuild --silent @vscode/spdlog native-watchdog node-pty
ln -sfn node_modules node_modules.asar
mkdir -p node_modules/@vscode/ripgrep/bin
ln -sf "$ripgrep" node_modules/@vscode/ripgrep/bin/rg
