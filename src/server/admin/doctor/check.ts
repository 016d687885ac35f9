/** One thing that was looked at. */
export interface Check {
  severity: 'ok' | 'problem' | 'warning';
  /** What was looked at, in a word or two. */
  about: string;
  text: string;
  /** What to do; empty if nothing is. */
  advice: string;
}

/** What is found out about one thing. */
export function checksOf(about: string) {
  const make = (severity: Check['severity']) => {
    return (text: string, advice = ''): Check => ({ severity, about, text, advice });
  };
  return { ok: make('ok'), warning: make('warning'), problem: make('problem') };
}

/** What kept something from being looked at, in the words of the system. */
export function reasonOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
