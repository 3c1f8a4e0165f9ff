/** Bookshop 1.2.0, as `coldframe types` writes it: write it again when the document changes. */

export interface Bookshop {
  operations: {
    login: LoginOperation;
    getMe: GetMeOperation;
    updateMe: UpdateMeOperation;
    listBooks: ListBooksOperation;
    createBook: CreateBookOperation;
    getBook: GetBookOperation;
    updateBook: UpdateBookOperation;
    deleteBook: DeleteBookOperation;
    uploadCover: UploadCoverOperation;
    downloadCover: DownloadCoverOperation;
    listReviews: ListReviewsOperation;
    createReview: CreateReviewOperation;
    listOrders: ListOrdersOperation;
    createOrder: CreateOrderOperation;
    getOrder: GetOrderOperation;
    payOrder: PayOrderOperation;
    cancelOrder: CancelOrderOperation;
  };
  state: {
    me: {
      kind: 'singleton';
      shown: Customer;
      given: CustomerUpdate;
    };
    books: {
      shown: Book;
      given: NewBook;
    };
    reviews: {
      shown: Review;
      given: NewReview;
    };
    orders: {
      shown: Order;
      given: NewOrder;
    };
  };
  fixtures:
    | 'brief-outage'
    | 'corrupt'
    | 'flaky'
    | 'flaky.connection'
    | 'maintenance'
    | 'maintenance.connection'
    | 'mobile-3g'
    | 'mobile-edge'
    | 'offline'
    | 'overloaded'
    | 'overloaded.connection'
    | 'overloaded.slow'
    | 'rate-limited'
    | 'slow-api'
    | 'timeouts';
}

/** POST /auth/login */
export interface LoginOperation {
  parameters: {
    [key: string]: never;
  };
  body: Credentials;
  responses: {
    200: Token;
    401: Error;
  };
  examples: {
    200: never;
    401: never;
  };
}

/** GET /me */
export interface GetMeOperation {
  parameters: {
    [key: string]: never;
  };
  body: undefined;
  responses: {
    200: Customer;
    401: Error;
  };
  examples: {
    200: never;
    401: never;
  };
}

/** PATCH /me */
export interface UpdateMeOperation {
  parameters: {
    [key: string]: never;
  };
  body: CustomerUpdate;
  responses: {
    200: Customer;
    400: Error;
  };
  examples: {
    200: never;
    400: never;
  };
}

/** GET /books */
export interface ListBooksOperation {
  parameters: {
    query?: {
      page?: number;
      perPage?: number;
      genre?: Genre;
      sort?: 'title' | '-title' | 'price' | '-price';
    };
  };
  body: undefined;
  responses: {
    200: BookPage;
    400: Error;
  };
  examples: {
    200: never;
    400: never;
  };
}

/** POST /books */
export interface CreateBookOperation {
  parameters: {
    [key: string]: never;
  };
  body: NewBook;
  responses: {
    201: Book;
    400: Error;
    401: Error;
  };
  examples: {
    201: never;
    400: never;
    401: never;
  };
}

/** GET /books/{bookId} */
export interface GetBookOperation {
  parameters: {
    path: {
      bookId: string;
    };
  };
  body: undefined;
  responses: {
    200: Book;
    404: Error;
  };
  examples: {
    200: never;
    404: never;
  };
}

/** PATCH /books/{bookId} */
export interface UpdateBookOperation {
  parameters: {
    path: {
      bookId: string;
    };
  };
  body: BookUpdate;
  responses: {
    200: Book;
    400: Error;
    404: Error;
  };
  examples: {
    200: never;
    400: never;
    404: never;
  };
}

/** DELETE /books/{bookId} */
export interface DeleteBookOperation {
  parameters: {
    path: {
      bookId: string;
    };
  };
  body: undefined;
  responses: {
    204: undefined;
    404: Error;
  };
  examples: {
    204: never;
    404: never;
  };
}

/** PUT /books/{bookId}/cover */
export interface UploadCoverOperation {
  parameters: {
    path: {
      bookId: string;
    };
  };
  body: string;
  responses: {
    204: undefined;
    404: Error;
  };
  examples: {
    204: never;
    404: never;
  };
}

/** GET /books/{bookId}/cover */
export interface DownloadCoverOperation {
  parameters: {
    path: {
      bookId: string;
    };
  };
  body: undefined;
  responses: {
    200: string;
    404: Error;
  };
  examples: {
    200: never;
    404: never;
  };
}

/** GET /books/{bookId}/reviews */
export interface ListReviewsOperation {
  parameters: {
    path: {
      bookId: string;
    };
  };
  body: undefined;
  responses: {
    200: Review[];
    404: Error;
  };
  examples: {
    200: never;
    404: never;
  };
}

/** POST /books/{bookId}/reviews */
export interface CreateReviewOperation {
  parameters: {
    path: {
      bookId: string;
    };
  };
  body: NewReview;
  responses: {
    201: Review;
    400: Error;
    404: Error;
  };
  examples: {
    201: never;
    400: never;
    404: never;
  };
}

/** GET /orders */
export interface ListOrdersOperation {
  parameters: {
    query?: {
      status?: OrderStatus;
    };
  };
  body: undefined;
  responses: {
    200: {
      orders: Order[];
      total: number;
    };
    401: Error;
  };
  examples: {
    200: never;
    401: never;
  };
}

/** POST /orders */
export interface CreateOrderOperation {
  parameters: {
    [key: string]: never;
  };
  body: NewOrder;
  responses: {
    201: Order;
    400: Error;
    401: Error;
  };
  examples: {
    201: never;
    400: never;
    401: never;
  };
}

/** GET /orders/{orderId} */
export interface GetOrderOperation {
  parameters: {
    path: {
      orderId: string;
    };
  };
  body: undefined;
  responses: {
    200: Order;
    404: Error;
  };
  examples: {
    200: never;
    404: never;
  };
}

/** POST /orders/{orderId}/pay */
export interface PayOrderOperation {
  parameters: {
    path: {
      orderId: string;
    };
  };
  body: undefined;
  responses: {
    200: Order;
    404: Error;
    409: Error;
  };
  examples: {
    200: never;
    404: never;
    409: never;
  };
}

/** POST /orders/{orderId}/cancel */
export interface CancelOrderOperation {
  parameters: {
    path: {
      orderId: string;
    };
  };
  body: undefined;
  responses: {
    200: Order;
    404: Error;
    409: Error;
  };
  examples: {
    200: never;
    404: never;
    409: never;
  };
}

export interface Credentials {
  email: string;
  password: string;
}

export interface Token {
  accessToken: string;
  tokenType?: 'Bearer';
  /** Seconds */
  expiresIn: number;
}

export interface Customer {
  id: string;
  email: string;
  name: string;
  birthday?: string;
  newsletter?: boolean;
}

export interface CustomerUpdate {
  name?: string;
  newsletter?: boolean;
}

export type Genre = 'novel' | 'poetry' | 'science' | 'history' | 'children';

export interface NewBook {
  title: string;
  author: string;
  isbn?: string;
  genre?: Genre;
  price: number;
  currency?: string;
  publishedOn?: string;
}

export interface BookUpdate {
  title?: string;
  price?: number;
  genre?: Genre;
}

export type Book = NewBook & {
  id: string;
  inStock: boolean;
  reviewCount?: number;
  createdAt: string;
  updatedAt: string;
};

export interface BookPage {
  data: Book[];
  page: number;
  perPage: number;
  total: number;
}

export interface NewReview {
  rating: number;
  text?: string;
}

export type Review = NewReview & {
  id: number | bigint;
  bookId: string;
  author?: string;
  createdAt: string;
};

export type OrderStatus = 'open' | 'paid' | 'shipped' | 'cancelled';

export interface NewOrder {
  items: {
    bookId: string;
    quantity: number;
  }[];
  note?: string;
}

export type Order = NewOrder & {
  id: string;
  status: OrderStatus;
  totalPrice?: number;
  createdAt: string;
  paidAt?: string | null;
};

export interface Error {
  code: string;
  message: string;
  requestId?: string;
  details?: {
    field: string;
    issue: string;
  }[];
}
