/**
 * The permutation of least cost: for each row of a square matrix, given by rows that are `stride` apart, a column of its own. By shortest
 * augmenting paths (Kuhn 1955; Jonker and Volgenant 1987), in time that grows with the cube of `size`. Costs are finite.
 */
export function leastCostAssignment(costs: Float64Array, size: number, stride: number = size): Int32Array {
  // Rows and columns count from 1: column 0 holds the row that is being assigned.
  const rowPrice = new Float64Array(size + 1);
  const columnPrice = new Float64Array(size + 1);
  const rowOf = new Int32Array(size + 1);
  const before = new Int32Array(size + 1);
  const least = new Float64Array(size + 1);
  const isDone = new Uint8Array(size + 1);
  for (let row = 1; row <= size; row++) {
    rowOf[0] = row;
    least.fill(Number.POSITIVE_INFINITY);
    isDone.fill(0);
    let column = 0;
    while (rowOf[column] !== 0) {
      isDone[column] = 1;
      const [from, current] = [column, rowOf[column]];
      let step = Number.POSITIVE_INFINITY;
      for (let next = 1; next <= size; next++) {
        if (isDone[next]) continue;
        const cost = costs[(current - 1) * stride + next - 1] - rowPrice[current] - columnPrice[next];
        if (cost < least[next]) {
          least[next] = cost;
          before[next] = from;
        }
        if (least[next] < step) {
          step = least[next];
          column = next;
        }
      }
      for (let next = 0; next <= size; next++) {
        if (isDone[next]) {
          rowPrice[rowOf[next]] += step;
          columnPrice[next] -= step;
        } else least[next] -= step;
      }
    }
    while (column !== 0) {
      rowOf[column] = rowOf[before[column]];
      column = before[column];
    }
  }
  const columns = new Int32Array(size);
  for (let column = 1; column <= size; column++) columns[rowOf[column] - 1] = column - 1;
  return columns;
}
