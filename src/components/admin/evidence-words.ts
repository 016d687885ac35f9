interface Measured {
  measure: 'output' | 'total' | 'yield';
  /** The tool that was compared; null for all tools. */
  tool: string | null;
}

/** What the chart of a submission on hold shows. */
export function measureWords({ measure, tool }: Measured): string {
  switch (measure) {
    case 'output':
      return 'Output tokens in a day';
    case 'total':
      return 'Tokens in a day';
    case 'yield':
      return `Yield of a day with ${tool ?? 'all tools'}`;
  }
}
