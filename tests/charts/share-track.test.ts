import { describe, expect, test } from 'vitest';
import { shareTrack } from '../../src/charts/share-track.ts';

describe('shareTrack()', () => {
  const { svg } = shareTrack({ shares: [0.7, 0.4, 1], promised: 0.95, from: 0.4 });

  test('a share has its position between the smallest share and 1', () => {
    expect(svg.match(/cx="[^"]+"/g)).toEqual(['cx="50%"', 'cx="0%"', 'cx="100%"']);
    expect(svg).toContain('class="promised" x1="91.67%" x2="91.67%"');
    expect(svg).toContain('class="span" x1="0%" x2="100%"');
  });

  test('smaller shares are drawn at the left end', () => {
    expect(shareTrack({ shares: [0.1], promised: 0.95, from: 0.4 }).svg).toContain('cx="0%"');
  });
});
