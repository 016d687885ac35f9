import { build } from 'esbuild';
import { expect, test } from 'vitest';
import { ROOT } from '#tests/support/board/context.ts';

/** The modules that a command needs to start, and the built-in modules that these import. */
async function loadedBy(entry: string): Promise<string[]> {
  const { metafile } = await build({
    absWorkingDir: ROOT,
    entryPoints: [entry],
    ...{ bundle: true, splitting: true, write: false, metafile: true, outdir: 'out' },
    ...{ platform: 'node', format: 'esm', logLevel: 'silent' },
  });
  const loaded = new Set<string>();
  const visit = (name: string) => {
    const output = metafile.outputs[name];
    if (!output || loaded.has(name)) return void loaded.add(name);
    loaded.add(name);
    for (const [input, { bytesInOutput }] of Object.entries(output.inputs))
      if (bytesInOutput > 0) loaded.add(input);
    for (const { path, kind } of output.imports) if (kind === 'import-statement') visit(path);
  };
  for (const [name, { entryPoint }] of Object.entries(metafile.outputs))
    if (entryPoint === entry) visit(name);
  return [...loaded];
}

test.each(['src/agent/statusline/main.ts', 'src/agent/commands/statusline.ts'])(
  '%s loads no schemas, no cryptography and no network',
  async (entry) => {
    const loaded = await loadedBy(entry);

    expect(loaded).toContain('src/agent/statusline/status.ts');
    expect(loaded).toContain('node:fs');
    const slow =
      /zod|node:(crypto|https?|net|tls|child_process|zlib)|\/(ledger|lock|keystore|client)\.ts$/;
    expect(loaded.filter((path) => slow.test(path))).toEqual([]);
    expect(loaded.length).toBeLessThan(40);
  },
);

test.each(['src/agent/commands/scan.ts', 'src/agent/commands/improve.ts'])(
  '%s does not load the report',
  async (entry) => {
    const loaded = await loadedBy(entry);

    expect(loaded).toContain(entry);
    expect(loaded.filter((path) => /\/(report|charts)\//.test(path))).toEqual([]);
  },
);
