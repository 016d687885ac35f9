// Node's loader in the main script of a single executable file finds only built-in modules. This file is on disk.
const { pathToFileURL } = require('node:url');

module.exports = (script) => import(pathToFileURL(script).href);
