import { build } from 'esbuild';
const plugin={name:'ts',setup(b){b.onResolve({filter:/^\..*\.js$/},a=>{ if(a.importer.includes('node_modules'))return; return {path:a.resolveDir+'/'+a.path.replace(/\.js$/,'.ts')};}); b.onResolve({filter:/^#/},a=>({path:a.path,external:true}))}};
const r=await build({stdin:{contents:"export { statistics } from './src/index.js'",resolveDir:'.'},bundle:true,splitting:true,minify:true,metafile:true,write:false,format:'esm',platform:'browser',outdir:'build/size',packages:'external',logLevel:'error',plugins:[plugin]});
const t=r.outputFiles.map(f=>f.text).join('\n');
const strs=[...t.matchAll(/"([^"\n]{25,})"|`([^`]{40,})`|'([^'\n]{25,})'/g)].map(m=>m[0]).sort((a,b)=>b.length-a.length);
console.log(strs.length, strs.reduce((s,x)=>s+x.length,0)); console.log(strs.slice(0,70).map(s=>s.slice(0,230)).join('\n'));
