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
