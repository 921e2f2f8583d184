// The conditions of package.json `imports` choose the implementation.
declare module '#inflate' {
  export const inflate: import('./inflate.js').Inflate;
}
