import { createMock } from './src/mock.ts';
for (const settings of [{ populate: 1000 }, { populate: 0 }, { populate: 200000 }]) {
  const mock = await createMock({ document: '/tmp/h3/offset.yaml', ...settings } as never);
  const r = await mock.fetch('http://localhost/plants?limit=20');
  console.log(settings, r.status, r.headers.get('mock-source'), (await r.text()).length);
  for (let round = 0; round < 3; round++) {
    const c = process.cpuUsage(); 
    for (let i = 0; i < 3000; i++) await (await mock.fetch('http://localhost/plants?limit=20&offset=40')).text();
    const u = process.cpuUsage(c);
    console.log(((u.user + u.system) / 3000).toFixed(0), 'µs cpu a request');
  }
  await mock.close();
}
