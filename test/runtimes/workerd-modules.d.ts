declare module '*.bin' {
  const content: ArrayBuffer;
  export default content;
}

declare module 'workerd' {
  const path: string;
  export default path;
}
