import Foundation

struct Page<Item: Decodable>: Decodable {
    struct Bookmarks: Decodable {
        let top: String?
        let last: String?
    }

    let items: [Item]
    let nextCursor: String?
    let prevCursor: String?
    let cursors: Bookmarks

    /// The time at which the page was read; nil if the feed is not declared with delta.
    let moment: String?

    /// The keys of all items of a page that was requested with `since`.
    let keys: [String]?
}

/// The beginning of a list, as a device keeps it. To save it, encode it, and write the data with the option `.atomic`.
struct KeptItems<Item: Codable>: Codable {
    let items: [Item]

    /// The cursor after the last item; nil at the end of the list.
    let last: String?

    /// When the items were read, or earlier; nil if the feed is not declared with delta.
    let moment: String?
}

struct Fresh: Decodable {
    let count: Int
    let capped: Bool
}

/// The server responded with a status other than 200.
struct FeedProblem: Error {
    let status: Int
    let code: String?
    let detail: String?

    /// Whether the cursor is no longer valid.
    var mustStartAgain: Bool {
        ["invalid_cursor", "cursor_mismatch", "cursor_expired"].contains(code)
    }

    /// Whether what is kept cannot be refreshed. The last code means that the feed no longer has delta.
    var cannotRefresh: Bool {
        mustStartAgain || ["invalid_moment", "not_supported"].contains(code)
    }
}

private struct ProblemBody: Decodable {
    let code: String?
    let detail: String?
}

/// One list: a feed in one order with one set of filters.
struct FeedList<Item: Decodable> {

    /// The URL of the feed, such as https://example.com/api/messages
    let url: URL

    /// The order and filters, such as `URLQueryItem(name: "status", value: "open")`
    var parameters: [URLQueryItem] = []

    var limit = 30
    var session = URLSession.shared

    /// Reads a page: the first one, or for example `[URLQueryItem(name: "from_id", value: "5000")]`.
    func page(at place: [URLQueryItem] = []) async throws -> Page<Item> {
        try await get(url, place + [URLQueryItem(name: "limit", value: String(limit))])
    }

    func page(cursor: String) async throws -> Page<Item> {
        try await page(at: [URLQueryItem(name: "cursor", value: cursor)])
    }

    /// Returns the items from `place` onward. Each page is requested when its first item is needed.
    func items(from place: [URLQueryItem] = [], until: String? = nil) -> Items {
        Items(list: self, place: place, until: until)
    }

    /// Reads all items above `top`, the bookmark of the first kept page, and also returns the new top.
    func newItems(above top: String) async throws -> (items: [Item], top: String?) {
        let until = URLQueryItem(name: "until", value: top)
        var page = try await self.page(at: [until])
        let newTop = page.cursors.top
        var items = page.items
        while let next = page.nextCursor {
            page = try await self.page(at: [URLQueryItem(name: "cursor", value: next), until])
            items += page.items
        }
        return (items, newTop)
    }

    /// Counts the items above the bookmark `top`, for a button such as "3 new messages".
    func fresh(above top: String) async throws -> Fresh {
        try await get(url.appendingPathComponent("fresh"), [URLQueryItem(name: "cursor", value: top)])
    }

    private func get<Response: Decodable>(_ url: URL, _ place: [URLQueryItem]) async throws -> Response {
        var target = URLComponents(url: url, resolvingAgainstBaseURL: false)!
        target.queryItems = parameters + place
        // URLComponents leaves + as it is, and the server reads it as a space.
        target.percentEncodedQuery = target.percentEncodedQuery?.replacingOccurrences(of: "+", with: "%2B")
        var request = URLRequest(url: target.url!)
        request.setValue("application/json", forHTTPHeaderField: "Accept")
        // A page from a cache can be older than the moment that is kept.
        request.cachePolicy = .reloadIgnoringLocalCacheData
        let (body, response) = try await session.data(for: request)
        let decoder = JSONDecoder()
        decoder.keyDecodingStrategy = .convertFromSnakeCase
        let status = (response as! HTTPURLResponse).statusCode
        guard status == 200 else {
            let problem = try? decoder.decode(ProblemBody.self, from: body)
            throw FeedProblem(status: status, code: problem?.code, detail: problem?.detail)
        }
        return try decoder.decode(Response.self, from: body)
    }

    struct Items: AsyncSequence {
        typealias Element = Item

        let list: FeedList
        let place: [URLQueryItem]
        let until: String?

        func makeAsyncIterator() -> Iterator {
            Iterator(list: list, place: place, until: until.map { [URLQueryItem(name: "until", value: $0)] } ?? [])
        }

        struct Iterator: AsyncIteratorProtocol {
            let list: FeedList

            /// Where the next page begins; nil at the end of the list.
            var place: [URLQueryItem]?
            let until: [URLQueryItem]
            var items: ArraySlice<Item> = []

            mutating func next() async throws -> Item? {
                while items.isEmpty, let start = place {
                    try Task.checkCancellation()
                    let page = try await list.page(at: start + until)
                    items = page.items[...]
                    place = page.nextCursor.map { [URLQueryItem(name: "cursor", value: $0)] }
                }
                return items.popFirst()
            }
        }
    }
}

/// A list that is kept. The items have an `id`, which is the feed's key.
extension FeedList where Item: Codable & Identifiable, Item.ID == String {

    /// The greatest limit of a page with `since`. The server lowers it to the feed's `delta-max`.
    private var deltaLimit: Int { 10_000 }

    /// Reads the first page.
    func start() async throws -> KeptItems<Item> {
        let page = try await self.page()
        return KeptItems(items: page.items, last: page.nextCursor == nil ? nil : page.cursors.last, moment: page.moment)
    }

    /// Brings the kept items up to date. If one page cannot hold them, the result has only those of that page.
    func refresh(_ kept: KeptItems<Item>) async throws -> KeptItems<Item> {
        guard let moment = kept.moment else {
            return try await start()
        }
        var place = [
            URLQueryItem(name: "since", value: moment), URLQueryItem(name: "limit", value: String(deltaLimit)),
        ]
        if let last = kept.last {
            place.append(URLQueryItem(name: "until", value: last))
        }
        let page: Page<Item>
        do {
            page = try await get(url, place)
        } catch let problem as FeedProblem where problem.cannotRefresh {
            return try await start()
        }
        var known = Dictionary(kept.items.map { ($0.id, $0) }, uniquingKeysWith: { first, _ in first })
        for item in page.items {
            known[item.id] = item
        }
        var items: [Item] = []
        for key in page.keys ?? [] {
            if let item = known[key] {
                items.append(item)
            } else if let item = try await self.item(key) {
                items.append(item)
            }
        }
        return KeptItems(items: items, last: page.nextCursor == nil ? kept.last : page.cursors.last, moment: page.moment)
    }

    /// Adds the page below the last item. The moment stays: the items above have not been read again.
    func more(_ kept: KeptItems<Item>) async throws -> KeptItems<Item> {
        guard let last = kept.last else {
            return kept
        }
        let page = try await self.page(cursor: last)
        let ids = Set(kept.items.map(\.id))
        return KeptItems(
            items: kept.items + page.items.filter { !ids.contains($0.id) },
            last: page.nextCursor == nil ? nil : page.cursors.last,
            moment: kept.moment)
    }

    /// Reads one item; nil if the list no longer has it.
    private func item(_ key: String) async throws -> Item? {
        do {
            let page: Page<Item> = try await get(
                url, [URLQueryItem(name: "from_id", value: key), URLQueryItem(name: "limit", value: "1")])
            return page.items.first
        } catch let problem as FeedProblem where problem.code == "anchor_not_found" {
            return nil
        }
    }
}
