import pg from 'pg';
import { startDatabaseCluster } from '#sandbox/cluster/databaseCluster.ts';
const c = await startDatabaseCluster();
const q = async (t:string)=>{const k=new pg.Client({connectionString:c.directUrl});await k.connect();try{return (await k.query(t)).rows}finally{await k.end()}};
try {
const m = await c.untilHealthy();
const conf='--config='+c.fileOf(m,'pgbackrest.conf');
await q('create table t(i int); insert into t select generate_series(1,1000)');
console.log(m.run('pgbackrest',[conf,'--stanza=crossbook','stanza-create']));
console.log(m.run('pgbackrest',[conf,'--stanza=crossbook','--type=full','backup']).slice(-300));
await q('insert into t values (5000)');
const [{now}] = await q('select now()::text as now'); console.log(now);
await q('insert into t values (6000)');
const f=await c.switchLog(); console.log(f);
for(;;){const [{a}]=await q('select last_archived_wal a from pg_stat_archiver'); if(a>=f)break; await new Promise(r=>setTimeout(r,200));}
const t=Date.now();
await c.restoreTo(now); console.log('restored', Date.now()-t);
console.log(await q('select count(*), max(i) from t'), await c.members());
} catch(e){console.error(e); process.exitCode=1; await new Promise(r=>setTimeout(r,6000))}
c.stop();
