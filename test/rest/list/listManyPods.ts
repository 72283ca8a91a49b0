/** Lists so many pods through the cloud's API, as a client that takes gzip, and prints what it got. */
import { openApiOverPods } from './openApiOverPods.ts';

const { app } = await openApiOverPods(Number(process.argv[2]));
const headers = { 'accept-encoding': 'gzip' };
const response = await app.request('http://localhost/api/v1/namespaces/default/pods', { headers });
let bytes = 0;
for await (const chunk of response.body ?? []) bytes += (chunk as Uint8Array).length;
console.log(JSON.stringify({ status: response.status, encoding: response.headers.get('content-encoding'), bytes }));
