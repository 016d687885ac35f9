/** Who has which leverage with which velocity: the two independent facts that the metrics hold. */
import { medianOf } from './median.ts';
import { axisPosition, axisValue } from './metric-axis.ts';

/** The operators of one cell of a grid: the middle of them, and how many they are. */
export interface SpreadPoint {
  leverage: number;
  velocity: number;
  count: number;
}

/** Operators on a grid of leverage and velocity. */
export interface Spread {
  /** How many operators it is of. */
  total: number;
  /** How many of them have no place because one of the two is 0. */
  zeros: number;
  /** By leverage, then velocity, ascending. */
  points: SpreadPoint[];
  /** Of all of them. */
  medians: { leverage: number; velocity: number };
}

/** The width of a cell in powers of ten: 5 %, less than can be told on a chart. */
const FINEST = 0.02;
const COARSER = [0.05, 0.1, 0.2, 0.5, 1, 2];

/** More rows than any grid has: ratios of token counts span 32 powers of ten. */
const ROWS = 1e5;

interface Cell {
  column: number;
  row: number;
  count: number;
  /** Sums of the positions. */
  leverage: number;
  velocity: number;
}

/** More points than this are finer than a chart, and more than a page should carry. */
const MAX_POINTS = 1000;

/**
 * The spread of operators over leverage and velocity; null below five. It lies on the finest
 * logarithmic grid of at most 1000 cells that hold anybody; whoever is alone in a cell stays where they are.
 *
 * @param leverages Of each operator, finite; left as they are.
 * @param velocities Of the same operators in the same order.
 */
export function spreadOf(leverages: Float64Array, velocities: Float64Array): Spread | null {
  const leverage = medianOf(leverages.slice());
  const velocity = medianOf(velocities.slice());
  if (leverage === null || velocity === null) return null;
  const total = leverages.length;
  const points = finestCells(leverages, velocities);
  const placed = points.reduce((sum, { count }) => sum + count, 0);
  return { total, zeros: total - placed, points, medians: { leverage, velocity } };
}

function finestCells(leverages: Float64Array, velocities: Float64Array): SpreadPoint[] {
  let cells = cellsOf(leverages, velocities, FINEST);
  for (const width of COARSER) {
    if (cells.length <= MAX_POINTS) break;
    cells = cellsOf(leverages, velocities, width);
  }
  return cells;
}

function cellsOf(leverages: Float64Array, velocities: Float64Array, width: number): SpreadPoint[] {
  const cells = new Map<number, Cell>();
  leverages.forEach((value, at) => {
    const leverage = axisPosition('leverage', value);
    const velocity = axisPosition('velocity', velocities[at] as number);
    if (!Number.isFinite(leverage) || !Number.isFinite(velocity)) return;
    const [column, row] = [Math.floor(leverage / width), Math.floor(velocity / width)];
    const key = column * ROWS + row;
    const cell = cells.get(key) ?? { column, row, count: 0, leverage: 0, velocity: 0 };
    cell.count += 1;
    cell.leverage += leverage;
    cell.velocity += velocity;
    cells.set(key, cell);
  });
  return [...cells.values()].sort((a, b) => a.column - b.column || a.row - b.row).map(pointOf);
}

function pointOf({ leverage, velocity, count }: Cell): SpreadPoint {
  return {
    leverage: axisValue('leverage', leverage / count),
    velocity: axisValue('velocity', velocity / count),
    count,
  };
}
