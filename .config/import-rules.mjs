/**
 * Rules for oxlint and ESLint: the import table, and no cycles of files or folders.
 *
 * @module
 */
import {
  fileCycles,
  folderCycles,
  importedFile,
  pathInRepository,
  siblingFolders,
} from './import-graph.mjs';
import { MAY_IMPORT } from './import-table.mjs';
import { MODULES } from './modules.mjs';

let cycles;

/** Built once for each run, from all files. */
function allCycles() {
  if (!cycles) {
    const files = fileCycles();
    cycles = { files: files.groupOf, folders: folderCycles(files) };
  }
  return cycles;
}

export default {
  meta: { name: 'imports' },
  rules: {
    table: { meta: { schema: [{ type: 'object' }] }, create: checkTable },
    'no-cycle': { create: checkCycles },
    'no-hidden': { create: checkHidden },
  },
};

/** Every file belongs to a module, and imports only what the table lists for it. */
function checkTable(context) {
  const [{ modules, mayImport } = { modules: MODULES, mayImport: MAY_IMPORT }] = context.options;
  const moduleOf = (path) =>
    Object.keys(modules).find((name) => `${path}/`.startsWith(`${modules[name]}/`));
  const file = pathInRepository(context.filename);
  const from = moduleOf(file);
  if (!from) {
    const message = 'This file is not in any module of the import table.';
    return { Program: (node) => context.report({ node, message }) };
  }
  const [allowed, packages] = mayImport[from];
  return eachImport((node, source) => {
    const target = importedFile(file, source);
    const to = target === null ? source : moduleOf(target);
    const isAllowed =
      target === null ? packages.some((name) => fits(name, source)) : allowed.includes(to);
    if (isAllowed) return;
    context.report({ node, message: `${from} may not import ${to ?? target}.` });
  });
}

/** No import of a value may close a cycle of files or of sibling folders. */
function checkCycles(context) {
  const file = pathInRepository(context.filename);
  return eachImport((node, source) => {
    const target = importedFile(file, source);
    if (target === null || node.importKind === 'type' || node.exportKind === 'type') return;
    const { files, folders } = allCycles();
    if (isInOneGroup(files, file, target)) {
      context.report({ node, message: `${target} imports this file, directly or indirectly.` });
    }
    const [one, other] = siblingFolders(file, target) ?? [];
    if (one && isInOneGroup(folders, one, other)) {
      context.report({ node, message: `${other} imports ${one}, directly or indirectly.` });
    }
  });
}

/** No file may be loaded in a way that the import table cannot check. */
function checkHidden(context) {
  return {
    "CallExpression[callee.object.type='MetaProperty'][callee.property.name=/^glob/]": (node) =>
      context.report({ node, message: 'The import table cannot check import.meta.glob.' }),
    "NewExpression[callee.name='URL'] > Literal[value=/\\.(ts|astro)$/]": (node) =>
      context.report({ node, message: 'The import table cannot check a URL of a source file.' }),
  };
}

function isInOneGroup(groupOf, one, other) {
  return groupOf.has(one) && groupOf.get(one) === groupOf.get(other);
}

function eachImport(check) {
  const visit = (node) => {
    const source = (node.source ?? node.argument?.literal ?? node.argument)?.value;
    if (typeof source === 'string') check(node, source);
  };
  return {
    ImportDeclaration: visit,
    ExportNamedDeclaration: visit,
    ExportAllDeclaration: visit,
    ImportExpression: visit,
    TSImportType: visit,
  };
}

/** Whether an import is a package or a path in it. A `*` at the end matches any characters. */
function fits(pattern, source) {
  if (pattern.endsWith('*')) return source.startsWith(pattern.slice(0, -1));
  return source === pattern || source.startsWith(`${pattern}/`);
}
