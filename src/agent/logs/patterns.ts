/** Patterns of paths: `*` stands for any characters of a name, `**` for any number of folders. */

export interface LogPatterns {
  /** Matches logs by their path below a folder. */
  logs: RegExp;
  /** Matches files that are not logs, although their path matches. */
  except: RegExp;
  /** Matches the folders that can contain logs. */
  folders: RegExp;
}

export function patternsOf(logs: readonly string[], except: readonly string[]): LogPatterns {
  return {
    logs: anyOf(logs.map(pathPattern)),
    except: anyOf(except.map(pathPattern)),
    folders: anyOf(logs.flatMap(folderPatterns)),
  };
}

export function isLog({ logs, except }: LogPatterns, path: string): boolean {
  return logs.test(path) && !except.test(path);
}

/** Matches nothing without patterns. */
function anyOf(patterns: readonly string[]): RegExp {
  return new RegExp(patterns.length === 0 ? '(?!)' : `^(?:${patterns.join('|')})$`);
}

function pathPattern(pattern: string): string {
  const parts = pattern.split('/');
  const folders = parts.slice(0, -1).map((part) => {
    return part === '**' ? '(?:[^/]+/)*' : `${namePattern(part)}/`;
  });
  return `${folders.join('')}${namePattern(parts.at(-1) ?? '')}`;
}

/** The folders on the way to a log. Below `**`, any folder can contain logs. */
function folderPatterns(pattern: string): string[] {
  const folders = pattern.split('/').slice(0, -1);
  const depth = folders.indexOf('**');
  const fixed = (depth < 0 ? folders : folders.slice(0, depth)).map(namePattern);
  const found = fixed.map((_, at) => fixed.slice(0, at + 1).join('/'));
  return depth < 0 ? found : [...found, [...fixed, '.+'].join('/')];
}

function namePattern(name: string): string {
  return name.replaceAll(/[.+?^${}()|[\]\\]/g, '\\$&').replaceAll('*', '[^/]*');
}
