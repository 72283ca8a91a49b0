import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';

const PROFILE = '.cpuprofile';

/** Writes a page beside each CPU profile in the directory, which shows it as a flame graph in speedscope. Returns the files of the pages. */
export function writeFlameGraphs(directory: string): string[] {
  return readdirSync(directory)
    .filter((name) => name.endsWith(PROFILE))
    .map((name) => writeFlameGraph(resolve(directory), name));
}

/** Speedscope loads a profile from a script, whose path it is told behind the `#`. Browsers that are given a file lose that part, so a page leads there. */
function writeFlameGraph(directory: string, profile: string): string {
  const base64 = readFileSync(join(directory, profile)).toString('base64');
  const script = join(directory, `${profile}.js`);
  writeFileSync(script, `speedscope.loadFileFromBase64(${JSON.stringify(profile)}, '${base64}')`);
  const viewer = new URL('dist/release/index.html', import.meta.resolve('speedscope/package.json'));
  viewer.hash = `localProfilePath=${script}`;
  const page = join(directory, `${profile.slice(0, -PROFILE.length)}.html`);
  writeFileSync(page, `<!doctype html><script>location.replace(${JSON.stringify(viewer.href)})</script>\n`);
  return page;
}
