import { dayName, dayNumber } from '#core/domain/counting/day.ts';
import { METRIC_NAMES } from '#core/domain/metrics/metrics.ts';
import { firstDayOf } from '#core/domain/metrics/window.ts';
import { PUBLIC_LOG_PATH } from '#core/schema/public-log.ts';
import { boardDataHref } from '../text/addresses.ts';
import type { BoardSheet } from './board-sheet.ts';
import { sheetTitle } from './board-words.ts';
import { SCHEMA_ORG, type Thing, type BoardIdentity, boardThing } from '../text/json-ld.ts';
import { METRIC_WORDS } from '../text/words.ts';

/** The board's identity and the path of its page. */
interface Place extends BoardIdentity {
  canonical: string;
}

/**
 * A board as a data set. It does not name operators; the linked data does.
 *
 * @see {@link https://schema.org/Dataset | Dataset}
 */
export function boardDataset(sheet: BoardSheet, { canonical, ...identity }: Place): Thing {
  const { baseUrl } = identity;
  const title = sheetTitle(sheet);
  return {
    '@context': SCHEMA_ORG,
    '@type': 'Dataset',
    name: `${title} · ${identity.name}`,
    description: `${title}: operators with values, 95% intervals, rank ranges and the token counts behind them. Every rank can be recomputed from the public log.`,
    url: baseUrl + canonical,
    creator: boardThing('Organization', identity),
    isAccessibleForFree: true,
    dateModified: sheet.generated_at,
    temporalCoverage: temporalCoverage(sheet),
    measurementTechnique: `${baseUrl}/methodology`,
    variableMeasured: METRIC_NAMES.map(variable),
    distribution: [
      download('application/json', baseUrl + boardDataHref(sheet)),
      download('text/csv', baseUrl + boardDataHref(sheet, 'csv')),
      download('application/gzip', baseUrl + PUBLIC_LOG_PATH),
    ],
  };
}

/** A period in ISO 8601 (2019, part 2) format; its start is open if all days count. */
function temporalCoverage({ window, as_of }: Pick<BoardSheet, 'as_of' | 'window'>): string {
  if (window === 'all_time') return `../${as_of}`;
  return `${dayName(firstDayOf(window, dayNumber(as_of)))}/${as_of}`;
}

function variable(metric: (typeof METRIC_NAMES)[number]): Thing {
  const { label, formula, meaning } = METRIC_WORDS[metric];
  return {
    '@type': 'PropertyValue',
    propertyID: metric,
    name: label,
    description: `${formula}. ${meaning}`,
  };
}

function download(encodingFormat: string, contentUrl: string): Thing {
  return { '@type': 'DataDownload', encodingFormat, contentUrl };
}
