// How a test's thread loads the sources: as Node does, and `./notes.md?raw` as the build does, as what stands in it.
import { readFileSync } from 'node:fs';
import { enableCompileCache, registerHooks } from 'node:module';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

// Node keeps it by the content of each file, so that the next run need not read the types again.
enableCompileCache(join(import.meta.dirname, '..', 'node_modules', '.cache', 'sources'));

registerHooks({
  load(url, context, next) {
    if (!url.endsWith('?raw')) return next(url, context);
    const text = readFileSync(fileURLToPath(url), 'utf8');
    const source = `export default ${JSON.stringify(text)};`;
    return { format: 'module', shortCircuit: true, source };
  },
});
