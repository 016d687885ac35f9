// Loads the sources in a test's thread: like Node, and `./notes.md?raw` like the build, as the text of the file.
import { readFileSync } from 'node:fs';
import { enableCompileCache, registerHooks } from 'node:module';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

// Caches compiled files by their content, so that the next run does not have to strip types again.
enableCompileCache(join(import.meta.dirname, '..', 'node_modules', '.cache', 'sources'));

registerHooks({
  load(url, context, next) {
    if (!url.endsWith('?raw')) return next(url, context);
    const text = readFileSync(fileURLToPath(url), 'utf8');
    const source = `export default ${JSON.stringify(text)};`;
    return { format: 'module', shortCircuit: true, source };
  },
});
