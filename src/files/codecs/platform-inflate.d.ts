// The condition of package.json `imports` that applies chooses which it is.
declare module '#inflate' {
  export const inflate: import('./inflate.js').Inflate;
}
