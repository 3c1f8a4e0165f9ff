import { defineConfig } from '@playwright/test';

// A browser of the system, where its path is given; otherwise the one that Playwright installs.
const executablePath = process.env['CHROMIUM'];

export default defineConfig({
  fullyParallel: true,
  reporter: 'line',
  use: {
    launchOptions: executablePath === undefined ? {} : { executablePath, args: ['--no-sandbox'] },
  },
});
