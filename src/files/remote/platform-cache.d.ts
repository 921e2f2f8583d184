// The conditions of package.json `imports` choose the implementation.
declare module '#fetch-cached' {
  export const fetchCached: typeof import('./fetch-cached.node.js').fetchCached;
}
