/** `npm run permissions-page`: writes docs/permissions.md. */
import { writeFileSync } from 'node:fs';
import { permissionsPage } from './permissionsPage.ts';

writeFileSync('docs/permissions.md', permissionsPage());
