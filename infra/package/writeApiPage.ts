/** `npm run api-page`: writes docs/api.md. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { apiPage } from './apiPage.ts';

mkdirSync('docs', { recursive: true });
writeFileSync('docs/api.md', apiPage());
