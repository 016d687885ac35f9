// Fits a straight line through points, with its uncertainty.
import { quantile975 } from '#core/domain/metrics/student-t.ts';

/**
 * The least-squares line, with the half-width of the 95% interval of its slope; null with fewer than three points.
 * Repeated measurements change slowly, so the more adjacent residuals agree, the fewer points count.
 */
export function straightLine(points) {
  const count = points.length;
  const meanX = mean(points.map(([x]) => x));
  const meanY = mean(points.map(([, y]) => y));
  const spread = sum(points.map(([x]) => (x - meanX) ** 2));
  const slope = sum(points.map(([x, y]) => (x - meanX) * (y - meanY))) / spread;
  const residuals = points.map(([x, y]) => y - meanY - slope * (x - meanX));
  return { slope, halfWidth: count < 3 ? null : halfWidthOf(residuals, spread) };
}

function halfWidthOf(residuals, spread) {
  const squares = sum(residuals.map((residual) => residual ** 2));
  const adjacent = sum(residuals.slice(1).map((residual, at) => residual * residuals[at]));
  const alike = squares > 0 ? Math.max(0, adjacent / squares) : 0;
  const counting = Math.max(3, (residuals.length * (1 - alike)) / (1 + alike));
  const error = Math.sqrt(squares / (counting - 2) / spread);
  return error * quantile975(Math.max(1, Math.floor(counting) - 2));
}

function sum(values) {
  return values.reduce((total, value) => total + value, 0);
}

function mean(values) {
  return sum(values) / values.length;
}
