export type { ChartError, ChartLoad, ChartSelect, PlumeChart } from './chart-element.js';
export { definePlumeChart } from './define-chart.js';
