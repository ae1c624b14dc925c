package dev.tidemark.inbox;

/**
 * Texts of the sample messages. Some contain quotes, percent signs, underscores or non-ASCII letters, to exercise
 * escaping.
 */
final class Phrases {

    static final String[] SUBJECTS = {
        "Where is my order {order}?",
        "Order {order} arrived damaged",
        "Refund for order {order} has not come",
        "Invoice for order {order}, please",
        "Cannot sign in since the update",
        "Two-factor code never arrives",
        "Please cancel order {order}",
        "Change the delivery address of order {order}",
        "{product}: how do I reset it?",
        "{product} stopped working after two weeks",
        "{product}: is there a spare part?",
        "{product} makes a strange noise",
        "Wrong size of {product} delivered",
        "Discount of 20% was not applied to order {order}",
        "I was charged twice for order {order}",
        "The app crashes when I open my orders",
        "Your courier left order {order} with a neighbour",
        "Question about the warranty of {product}",
        "Attachment report_final.pdf cannot be opened",
        "Delete my account",
        "Größentabelle für {product}?",
        "Je n'ai pas reçu la commande {order}",
        "\"Out for delivery\" for four days: order {order}",
        "Thank you! {product} is wonderful",
    };

    static final String[] PRODUCTS = {
        "Kettle K2",
        "Desk lamp Lumo",
        "Running shoes",
        "Rain jacket",
        "Headphones H7",
        "Coffee grinder",
        "Standing desk",
        "Office chair",
        "Backpack 30 l",
        "E-reader",
        "Water bottle",
        "Air purifier",
        "Toaster",
        "Bike light",
        "Yoga mat",
        "Keyboard TK-61",
        "Router AX",
        "Smart plug",
        "Tent for two",
        "Wool blanket",
    };

    static final String[] GREETINGS = {
        "Hello,", "Hi there,", "Dear support team,", "Good morning,", "Hello again,", "Hey,"
    };

    static final String[] COMPLAINTS = {
        "I ordered this as a present and it was due last Friday.",
        "This is the second time that I write to you about the same thing.",
        "I have read the help pages and none of them covers my case.",
        "Everything went well until yesterday evening.",
        "I tried it on my phone and on my laptop, with the same result.",
        "My neighbour bought the same one and has no trouble at all.",
        "The tracking page has said the same since Monday.",
        "I would rather have a replacement than my money back.",
    };

    static final String[] DETAILS = {
        "A photo is attached; the box itself looked fine when it was handed over to me.",
        "Could you tell me how long this usually takes, and whether there is anything that I can do meanwhile?",
        "The error says \"something went wrong\" and gives no number that I could look up.",
        "I am away from the 20th on, so please do not send anything before we have agreed on a date.",
        "If it helps: I paid by card, and the amount has already left my account.",
        "Please answer by e-mail, I cannot take calls during the day.",
        "I have been a customer for six years and never needed to write before.",
    };

    static final String[] CLOSINGS = {
        "Kind regards", "Thanks in advance", "Best wishes", "Thank you for your help", "Yours", "Cheers",
    };

    private Phrases() {}
}
