/** Files of C and Python are bundled as text. */
declare module '*.c' {
  const text: string;
  export default text;
}
declare module '*.py' {
  const text: string;
  export default text;
}
