import assert from 'node:assert/strict';
import Stripe from 'stripe';
import { createMock, type Mock } from '../../src/index.ts';
import { publicDocuments, testWithPublicDocuments } from '../support/public-documents.ts';

/** One thing that a client of Stripe does, with what it sees of Stripe. */
type Call = (stripe: Stripe, mock: Mock) => Promise<void>;

const PAYMENT = { amount: 2000, currency: 'eur' } as const;

const newCustomer = (stripe: Stripe, name = 'Fern Shop') => stripe.customers.create({ name });
const newProduct = (stripe: Stripe) => stripe.products.create({ name: 'Watering can' });

async function newPrice(stripe: Stripe) {
  const { id: product } = await newProduct(stripe);
  return stripe.prices.create({
    product,
    currency: 'eur',
    unit_amount: 1500,
    recurring: { interval: 'month' },
  });
}

async function newSubscription(stripe: Stripe) {
  const { id: customer } = await newCustomer(stripe);
  const { id: price } = await newPrice(stripe);
  const subscription = await stripe.subscriptions.create({ customer, items: [{ price }] });
  return { customer, price, subscription };
}

async function newInvoice(stripe: Stripe) {
  const { id: customer } = await newCustomer(stripe);
  return stripe.invoices.create({ customer, description: 'Seeds', auto_advance: false });
}

const isNow = (seconds: number) => Math.abs(seconds - Date.now() / 1000) < 120;

const calls: Readonly<Record<string, Call>> = {
  'customers.create': async (stripe) => {
    const customer = await stripe.customers.create({
      name: 'Fern Shop',
      email: 'shop@example.com',
      metadata: { level: 'gold' },
    });
    assert.equal(customer.object, 'customer');
    assert.equal(customer.name, 'Fern Shop');
    assert.equal(customer.email, 'shop@example.com');
    assert.deepEqual(customer.metadata, { level: 'gold' });
    assert.equal(customer.livemode, false);
    assert.ok(isNow(customer.created));
    assert.equal(customer.lastResponse.statusCode, 200);
    assert.equal('deleted' in customer, false);
  },
  'customers.create with nested objects and arrays': async (stripe) => {
    const address = { line1: '1 Kew Road', city: 'London', country: 'GB' };
    const created = await stripe.customers.create({
      address,
      shipping: { name: 'Fern', address },
      preferred_locales: ['en', 'de'],
      invoice_settings: { custom_fields: [{ name: 'PO', value: '17' }] },
    });
    const customer = await stripe.customers.retrieve(created.id);
    assert.ok(!customer.deleted);
    assert.equal(customer.address?.line1, '1 Kew Road');
    assert.equal(customer.address.city, 'London');
    assert.equal(customer.shipping?.address?.country, 'GB');
    assert.deepEqual(customer.preferred_locales, ['en', 'de']);
    assert.deepEqual(customer.invoice_settings.custom_fields, [{ name: 'PO', value: '17' }]);
  },
  'customers.retrieve': async (stripe) => {
    const created = await newCustomer(stripe);
    const customer = await stripe.customers.retrieve(created.id);
    assert.deepEqual({ ...customer }, { ...created });
  },
  'customers.update': async (stripe) => {
    const { id, created } = await newCustomer(stripe);
    const updated = await stripe.customers.update(id, { email: 'new@example.com' });
    assert.equal(updated.id, id);
    assert.equal(updated.email, 'new@example.com');
    assert.equal(updated.name, 'Fern Shop');
    assert.equal(updated.created, created);
  },
  'metadata set and removed': async (stripe) => {
    const { id } = await stripe.customers.create({ metadata: { level: 'gold', since: '2020' } });
    const set = await stripe.customers.update(id, { metadata: { level: 'silver', seen: '1' } });
    assert.deepEqual(set.metadata, { level: 'silver', since: '2020', seen: '1' });
    const removed = await stripe.customers.update(id, { metadata: { level: '' } });
    assert.deepEqual(removed.metadata, { since: '2020', seen: '1' });
  },
  'a member removed with an empty text': async (stripe) => {
    const { id } = await stripe.customers.create({ address: { city: 'London' }, name: 'Fern' });
    const updated = await stripe.customers.update(id, { address: '' });
    assert.ok(updated.address === null || updated.address === undefined);
    assert.equal(updated.name, 'Fern');
  },
  'customers.del': async (stripe) => {
    const { id } = await newCustomer(stripe);
    const deleted = await stripe.customers.del(id);
    assert.equal(deleted.id, id);
    assert.equal(deleted.object, 'customer');
    assert.equal(deleted.deleted, true);
    await assert.rejects(stripe.customers.update(id, { name: 'Moss' }));
  },
  'customers.list': async (stripe) => {
    const one = await newCustomer(stripe, 'First');
    const two = await newCustomer(stripe, 'Second');
    const list = await stripe.customers.list({ limit: 2 });
    assert.equal(list.object, 'list');
    assert.equal(list.url, '/v1/customers');
    assert.equal(list.has_more, true);
    // Stripe lists the newest first.
    assert.deepEqual(
      list.data.map(({ id }) => id),
      [two.id, one.id],
    );
  },
  'customers.list by email': async (stripe) => {
    const { id } = await stripe.customers.create({ email: 'only@example.com' });
    const list = await stripe.customers.list({ email: 'only@example.com' });
    assert.deepEqual(
      list.data.map((one) => one.id),
      [id],
    );
    assert.equal(list.has_more, false);
  },
  'customers.list with starting_after': async (stripe) => {
    for (const name of ['A', 'B', 'C']) await newCustomer(stripe, name);
    const first = await stripe.customers.list({ limit: 2 });
    const last = first.data.at(-1)?.id ?? '';
    const second = await stripe.customers.list({ limit: 2, starting_after: last });
    const ids = [...first.data, ...second.data].map(({ id }) => id);
    assert.equal(new Set(ids).size, 4);
  },
  'customers.search': async (stripe) => {
    const { id } = await stripe.customers.create({ email: 'sought@example.com' });
    const found = await stripe.customers.search({ query: "email:'sought@example.com'" });
    assert.equal(found.object, 'search_result');
    assert.deepEqual(
      found.data.map((one) => one.id),
      [id],
    );
  },
  autoPagingToArray: async (stripe) => {
    const made: string[] = [];
    for (let count = 0; count < 5; count++) {
      made.push((await stripe.coupons.create({ percent_off: 10, duration: 'once' })).id);
    }
    const all = await stripe.coupons.list({ limit: 2 }).autoPagingToArray({ limit: 100 });
    const ids = all.map(({ id }) => id);
    assert.equal(new Set(ids).size, ids.length);
    assert.ok(made.every((id) => ids.includes(id)));
  },
  'products.create and update': async (stripe) => {
    const product = await newProduct(stripe);
    assert.equal(product.object, 'product');
    assert.equal(product.active, true);
    const updated = await stripe.products.update(product.id, { active: false });
    assert.equal(updated.active, false);
    assert.equal((await stripe.products.retrieve(product.id)).active, false);
  },
  'prices.create': async (stripe) => {
    const price = await newPrice(stripe);
    assert.equal(price.object, 'price');
    assert.equal(price.unit_amount, 1500);
    assert.equal(price.currency, 'eur');
    assert.equal(price.recurring?.interval, 'month');
    assert.equal(price.active, true);
    assert.equal(typeof price.product, 'string');
  },
  'prices.retrieve with expand': async (stripe) => {
    const { id, product } = await newPrice(stripe);
    assert.equal(typeof (await stripe.prices.retrieve(id)).product, 'string');
    const expanded = await stripe.prices.retrieve(id, { expand: ['product'] });
    assert.ok(typeof expanded.product === 'object' && !expanded.product.deleted);
    assert.equal(expanded.product.id, product);
    assert.equal(expanded.product.name, 'Watering can');
  },
  'paymentIntents.create': async (stripe) => {
    const intent = await stripe.paymentIntents.create(PAYMENT);
    assert.equal(intent.object, 'payment_intent');
    assert.equal(intent.amount, 2000);
    assert.equal(intent.currency, 'eur');
    assert.equal(intent.status, 'requires_payment_method');
    assert.equal(typeof intent.client_secret, 'string');
    assert.equal(intent.amount_received, 0);
    assert.equal(intent.canceled_at, null);
    assert.equal(intent.last_payment_error ?? null, null);
  },
  'paymentIntents.confirm': async (stripe) => {
    const { id } = await stripe.paymentIntents.create(PAYMENT);
    const confirmed = await stripe.paymentIntents.confirm(id, { payment_method: 'pm_card_visa' });
    assert.equal(confirmed.status, 'succeeded');
    assert.equal((await stripe.paymentIntents.retrieve(id)).status, 'succeeded');
  },
  'paymentIntents.capture': async (stripe) => {
    const { id } = await stripe.paymentIntents.create({ ...PAYMENT, capture_method: 'manual' });
    await stripe.paymentIntents.confirm(id, { payment_method: 'pm_card_visa' });
    const captured = await stripe.paymentIntents.capture(id, { amount_to_capture: 1000 });
    assert.equal(captured.status, 'succeeded');
  },
  'paymentIntents.cancel': async (stripe) => {
    const { id } = await stripe.paymentIntents.create(PAYMENT);
    const canceled = await stripe.paymentIntents.cancel(id, {
      cancellation_reason: 'requested_by_customer',
    });
    assert.equal(canceled.id, id);
    assert.equal(canceled.status, 'canceled');
    assert.equal(canceled.cancellation_reason, 'requested_by_customer');
    assert.ok(isNow(canceled.canceled_at ?? 0));
  },
  'paymentMethods.create, attach and detach': async (stripe) => {
    const { id: customer } = await newCustomer(stripe);
    const method = await stripe.paymentMethods.create({
      type: 'sepa_debit',
      sepa_debit: { iban: 'DE89370400440532013000' },
      billing_details: { name: 'Fern' },
    });
    assert.equal(method.type, 'sepa_debit');
    assert.equal(method.billing_details.name, 'Fern');
    assert.equal(method.customer ?? null, null);
    const attached = await stripe.paymentMethods.attach(method.id, { customer });
    assert.equal(attached.customer, customer);
    const list = await stripe.paymentMethods.list({ customer });
    assert.deepEqual(
      list.data.map(({ id }) => id),
      [method.id],
    );
    const detached = await stripe.paymentMethods.detach(method.id);
    assert.equal(detached.customer ?? null, null);
  },
  'setupIntents.create and cancel': async (stripe) => {
    const { id: customer } = await newCustomer(stripe);
    const intent = await stripe.setupIntents.create({ customer, usage: 'off_session' });
    assert.equal(intent.object, 'setup_intent');
    assert.equal(intent.status, 'requires_payment_method');
    assert.equal(intent.customer, customer);
    assert.equal((await stripe.setupIntents.cancel(intent.id)).status, 'canceled');
  },
  'charges.create': async (stripe) => {
    const charge = await stripe.charges.create({ ...PAYMENT, source: 'tok_visa' });
    assert.equal(charge.object, 'charge');
    assert.equal(charge.amount, 2000);
    assert.equal(charge.refunded, false);
    assert.equal(charge.amount_refunded, 0);
    assert.equal((await stripe.charges.retrieve(charge.id)).id, charge.id);
  },
  'refunds.create': async (stripe) => {
    const { id: charge } = await stripe.charges.create({ ...PAYMENT, source: 'tok_visa' });
    const refund = await stripe.refunds.create({ charge, amount: 500, reason: 'duplicate' });
    assert.equal(refund.object, 'refund');
    assert.equal(refund.amount, 500);
    assert.equal(refund.charge, charge);
    assert.equal(refund.reason, 'duplicate');
    const listed = await stripe.refunds.list({ charge });
    assert.deepEqual(
      listed.data.map(({ id }) => id),
      [refund.id],
    );
  },
  'invoices.create': async (stripe) => {
    const invoice = await newInvoice(stripe);
    assert.equal(invoice.object, 'invoice');
    assert.equal(invoice.status, 'draft');
    assert.equal(invoice.description, 'Seeds');
    assert.equal(invoice.amount_paid, 0);
  },
  'invoices.finalizeInvoice': async (stripe) => {
    const { id } = await newInvoice(stripe);
    assert.equal((await stripe.invoices.finalizeInvoice(id)).status, 'open');
  },
  'invoices.pay': async (stripe) => {
    const { id } = await newInvoice(stripe);
    await stripe.invoices.finalizeInvoice(id);
    assert.equal((await stripe.invoices.pay(id)).status, 'paid');
    assert.equal((await stripe.invoices.retrieve(id)).status, 'paid');
  },
  'invoiceItems.create and del': async (stripe) => {
    const { id: customer } = await newCustomer(stripe);
    const item = await stripe.invoiceItems.create({ customer, amount: 900, currency: 'eur' });
    assert.equal(item.object, 'invoiceitem');
    assert.equal(item.amount, 900);
    assert.equal(item.customer, customer);
    assert.equal((await stripe.invoiceItems.del(item.id)).deleted, true);
    await assert.rejects(stripe.invoiceItems.retrieve(item.id), { statusCode: 404 });
  },
  'subscriptions.create': async (stripe) => {
    const { customer, price, subscription } = await newSubscription(stripe);
    assert.equal(subscription.object, 'subscription');
    assert.equal(subscription.customer, customer);
    assert.equal(subscription.items.object, 'list');
    assert.equal(subscription.items.data[0]?.price.id, price);
    assert.equal(subscription.cancel_at_period_end, false);
    assert.equal(subscription.canceled_at, null);
  },
  'subscriptions.update': async (stripe) => {
    const { subscription } = await newSubscription(stripe);
    const updated = await stripe.subscriptions.update(subscription.id, {
      cancel_at_period_end: true,
      metadata: { asked: 'yes' },
    });
    assert.equal(updated.cancel_at_period_end, true);
    assert.deepEqual(updated.metadata, { asked: 'yes' });
  },
  'subscriptions.cancel': async (stripe) => {
    const { subscription } = await newSubscription(stripe);
    const canceled = await stripe.subscriptions.cancel(subscription.id);
    assert.equal(canceled.status, 'canceled');
    assert.equal((await stripe.subscriptions.retrieve(subscription.id)).status, 'canceled');
  },
  'coupons.create with an own id': async (stripe) => {
    const coupon = await stripe.coupons.create({ id: 'SPRING', percent_off: 25, duration: 'once' });
    assert.equal(coupon.id, 'SPRING');
    assert.equal(coupon.percent_off, 25);
    assert.equal((await stripe.coupons.retrieve('SPRING')).duration, 'once');
    assert.equal((await stripe.coupons.del('SPRING')).deleted, true);
  },
  'checkout.sessions.create and expire': async (stripe) => {
    const session = await stripe.checkout.sessions.create({
      mode: 'payment',
      success_url: 'https://shop.example/done',
      line_items: [
        {
          quantity: 2,
          price_data: { currency: 'eur', unit_amount: 700, product_data: { name: 'Moss' } },
        },
      ],
    });
    assert.equal(session.object, 'checkout.session');
    assert.equal(session.mode, 'payment');
    assert.equal(session.success_url, 'https://shop.example/done');
    assert.equal(session.status, 'open');
    assert.equal((await stripe.checkout.sessions.expire(session.id)).status, 'expired');
  },
  'balance.retrieve': async (stripe) => {
    const balance = await stripe.balance.retrieve();
    assert.equal(balance.object, 'balance');
    assert.equal(balance.livemode, false);
    assert.ok(balance.available.every(({ amount }) => Number.isInteger(amount)));
  },
  'events.list and retrieve': async (stripe) => {
    const { data } = await stripe.events.list({ limit: 3 });
    assert.ok(data[0] !== undefined);
    assert.equal(data[0].object, 'event');
    assert.equal((await stripe.events.retrieve(data[0].id)).id, data[0].id);
  },
  'webhookEndpoints.create and del': async (stripe) => {
    const endpoint = await stripe.webhookEndpoints.create({
      url: 'https://shop.example/hook',
      enabled_events: ['charge.failed', 'charge.succeeded'],
    });
    assert.equal(endpoint.object, 'webhook_endpoint');
    assert.equal(endpoint.url, 'https://shop.example/hook');
    assert.deepEqual(endpoint.enabled_events, ['charge.failed', 'charge.succeeded']);
    assert.equal(endpoint.status, 'enabled');
    assert.equal((await stripe.webhookEndpoints.del(endpoint.id)).deleted, true);
  },
  'accounts.create and retrieve': async (stripe) => {
    const account = await stripe.accounts.create({
      type: 'express',
      country: 'DE',
      email: 'partner@example.com',
      capabilities: { card_payments: { requested: true } },
    });
    assert.equal(account.object, 'account');
    assert.equal(account.country, 'DE');
    assert.equal((await stripe.accounts.retrieve(account.id)).email, 'partner@example.com');
  },
  'idempotency keys': async (stripe) => {
    const send = () =>
      stripe.customers.create({ name: 'Once' }, { idempotencyKey: 'create-once-17' });
    const [first, second] = [await send(), await send()];
    assert.equal(first.id, second.id);
  },
  'a missing customer is a StripeInvalidRequestError': async (stripe) => {
    await assert.rejects(stripe.customers.retrieve('cus_missing'), (error) => {
      assert.ok(error instanceof Stripe.errors.StripeInvalidRequestError);
      assert.equal(error.statusCode, 404);
      assert.equal(error.type, 'StripeInvalidRequestError');
      assert.ok(error.message.length > 0);
      return true;
    });
  },
  'a wrong parameter is a StripeInvalidRequestError': async (stripe) => {
    const wrong = { currency: 'eur', amount: 'much' } as unknown as typeof PAYMENT;
    await assert.rejects(stripe.paymentIntents.create(wrong), (error) => {
      assert.ok(error instanceof Stripe.errors.StripeInvalidRequestError);
      assert.equal(error.statusCode, 400);
      assert.match(error.message, /amount/);
      return true;
    });
  },
  'a declined card is a StripeCardError': async (stripe, mock) => {
    await mock.session('default').operation('PostCharges').failNext(402);
    await assert.rejects(stripe.charges.create({ ...PAYMENT, source: 'tok_declined' }), (error) => {
      assert.ok(error instanceof Stripe.errors.StripeCardError);
      assert.equal(error.statusCode, 402);
      assert.equal(error.rawType, 'card_error');
      return true;
    });
  },
  'a key that is not accepted is a StripeAuthenticationError': async (stripe, mock) => {
    await mock.session('default').operation('GetCustomers').failNext(401);
    await assert.rejects(stripe.customers.list(), Stripe.errors.StripeAuthenticationError);
  },
};

/**
 * Calls that do not behave as with Stripe. Its document declares no status of a wrong request: the
 * mock's is 422, and Stripe's 400.
 */
const DIFFERENT: readonly string[] = ['a wrong parameter is a StripeInvalidRequestError'];

function at(port: number) {
  return { host: '127.0.0.1', port, protocol: 'http', maxNetworkRetries: 0 } as const;
}

testWithPublicDocuments("stripe's own client works on its document", async (t) => {
  t.timeout(300_000);
  const mock = await createMock({ document: publicDocuments.stripe });
  t.teardown(() => mock.close());
  const { port } = await mock.listen({ port: 0, host: '127.0.0.1' });
  const stripe = new Stripe('sk_test_123', at(port));
  const failed: string[] = [];
  for (const [name, call] of Object.entries(calls)) {
    try {
      await call(stripe, mock);
    } catch (error) {
      failed.push(name);
      if (!DIFFERENT.includes(name)) t.log(name, error);
    }
  }
  t.deepEqual(failed, DIFFERENT);
});
