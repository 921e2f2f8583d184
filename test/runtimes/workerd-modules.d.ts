declare module '*.bin' {
  const content: ArrayBuffer;
  export default content;
}
