import { defineConfig } from '@playwright/test';

// Uses the browser at this path, or the one that Playwright installs.
const executablePath = process.env['CHROMIUM'];

export default defineConfig({
  fullyParallel: true,
  reporter: 'line',
  use: {
    launchOptions: executablePath === undefined ? {} : { executablePath, args: ['--no-sandbox'] },
  },
});
